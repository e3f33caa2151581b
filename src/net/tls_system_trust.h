// The certificates of the authorities that this system trusts.
#pragma once

#include <openssl/ssl.h>

#include <span>
#include <string>

#include "carronade/expected.h"

namespace carronade::net {

// Has the context trust them: where OpenSSL looks (SSL_CERT_FILE and SSL_CERT_DIR in the
// environment, or else the place it was built for), or where other distributions keep them when
// there is nothing. The program contains its OpenSSL, and may have been copied to one of those.
Expected<void> trust_system(SSL_CTX* context);

// The first file of `elsewhere` that can be read; "" when one of `usual` (files and folders) is
// there.
std::string certificates_elsewhere(std::span<const std::string> usual,
                                   std::span<const std::string> elsewhere);

}  // namespace carronade::net
