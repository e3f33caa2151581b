// The certificate and private key that one end of a connection shows, and the certificates that
// it trusts, from files or from their contents.
#pragma once

#include <openssl/ssl.h>

#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade::net {

// A file, or what would be in it. Both "": none.
struct TlsSource {
  std::string file;
  std::string contents = {};

  bool empty() const { return file.empty() && contents.empty(); }
};

// Never asks on the terminal for a passphrase, as OpenSSL does unless told otherwise.
void forbid_passphrase_prompt(SSL_CTX* context);

// PEM: a chain with the own certificate first, and the key, for which an empty source means that
// it is beside the certificate. `who` begins the error: "client key /x.pem: bad decrypt", "client
// key (given as text): bad decrypt".
Expected<void> use_pem_identity(SSL_CTX* context, std::string_view who,
                                const TlsSource& certificate, const TlsSource& key,
                                const std::string& passphrase);

// Certificate, key and chain in one piece of PKCS#12.
Expected<void> use_pkcs12_identity(SSL_CTX* context, std::string_view who, const TlsSource& source,
                                   const std::string& passphrase);

// Trusts the certificates in PEM form in `text`; at least one.
Expected<void> trust_pem_text(SSL_CTX* context, const std::string& text);

}  // namespace carronade::net
