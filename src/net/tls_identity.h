// The certificate and private key that one end of a connection shows, from files.
#pragma once

#include <openssl/ssl.h>

#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade::net {

// Never asks on the terminal for a passphrase, as OpenSSL does unless told otherwise.
void forbid_passphrase_prompt(SSL_CTX* context);

// PEM: a chain with the own certificate first, and the key, for which "" means that it is in
// the certificate's file. `who` begins the error: "client key /x.pem: bad decrypt".
Expected<void> use_pem_identity(SSL_CTX* context, std::string_view who,
                                const std::string& certificate_file, const std::string& key_file,
                                const std::string& passphrase);

// Certificate, key and chain in one PKCS#12 file.
Expected<void> use_pkcs12_identity(SSL_CTX* context, std::string_view who, const std::string& file,
                                   const std::string& passphrase);

}  // namespace carronade::net
