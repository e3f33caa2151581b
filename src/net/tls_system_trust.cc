#include "net/tls_system_trust.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "net/tls_error.h"

namespace carronade::net {

namespace {

bool readable(const std::string& path) { return ::access(path.c_str(), R_OK) == 0; }

}  // namespace

std::string certificates_elsewhere(std::span<const std::string> usual,
                                   std::span<const std::string> elsewhere) {
  for (const std::string& path : usual) {
    if (readable(path)) return "";
  }
  for (const std::string& path : elsewhere) {
    if (readable(path)) return path;
  }
  return "";
}

Expected<void> trust_system(SSL_CTX* context) {
  ERR_clear_error();
  if (SSL_CTX_set_default_verify_paths(context) != 1) {
    return unexpected(fmt::format("CA certificates of the system: {}", take_tls_reason()));
  }
  if (std::getenv(X509_get_default_cert_file_env()) != nullptr ||
      std::getenv(X509_get_default_cert_dir_env()) != nullptr) {
    return {};
  }
  const std::array<std::string, 2> usual{X509_get_default_cert_file(), X509_get_default_cert_dir()};
  // Fedora and Red Hat, Debian and Arch, SUSE, Alpine.
  const std::array<std::string, 4> elsewhere{"/etc/pki/tls/certs/ca-bundle.crt",
                                             "/etc/ssl/certs/ca-certificates.crt",
                                             "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};
  const std::string file = certificates_elsewhere(usual, elsewhere);
  if (!file.empty() && SSL_CTX_load_verify_file(context, file.c_str()) != 1) {
    return unexpected(
        fmt::format("CA certificates of the system, {}: {}", file, take_tls_reason()));
  }
  return {};
}

}  // namespace carronade::net
