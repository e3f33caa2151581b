// How TLS connections are made. Passive; checked in Run::create.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace carronade {

struct TlsSpec {
  // SNI. Unset: the URL's host, none for an IP literal. Set to "": none.
  std::optional<std::string> server_name;
  bool verify = false;                // check chain and host name
  std::vector<std::string> ca_files;  // PEM; empty: the system's store when verify is on
  std::string certificate_file;       // client certificate chain, PEM; "" for none
  std::string key_file;               // its key, PEM; "" : looked for in certificate_file
  std::string pkcs12_file;            // certificate and key together; "" for none
  std::string passphrase;             // of the key or of PKCS#12
  // The same as contents instead of files; each excludes its file.
  std::vector<std::string> ca_pem;
  std::string certificate_pem;
  std::string key_pem;
  std::string pkcs12;  // DER
  bool resume = true;  // reuse sessions between reconnects
  // Lowest and highest version: 0x0301 (TLS 1.0) … 0x0304 (TLS 1.3); 0: the library's choice.
  uint16_t min_version = 0;
  uint16_t max_version = 0;
  std::string ciphers;       // OpenSSL cipher list up to TLS 1.2; "": the library's choice
  std::string ciphersuites;  // the same of TLS 1.3
};

}  // namespace carronade
