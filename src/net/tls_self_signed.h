// Certificates made on the spot, for the bundled server and for tests.
#pragma once

#include <string>

#include "carronade/expected.h"
#include "net/tls_error.h"

namespace carronade::net {

struct CertificateAndKey {
  OpensslOwner<X509> certificate;
  OpensslOwner<EVP_PKEY> key;
};

// A self-signed certificate with a new EC P-256 key, valid from an hour ago (clocks differ) for
// a week. `names` is the subjectAltName in OpenSSL's form, "DNS:localhost,IP:127.0.0.1".
Expected<CertificateAndKey> make_self_signed(const std::string& common_name,
                                             const std::string& names);

}  // namespace carronade::net
