#include "cli/build_facts.h"

namespace carronade::cli {

// The macros come from this folder's CMakeLists.txt.
std::string feature_list() {
  return "HTTP/1.1, pipelining, TLS (OpenSSL " CARRONADE_OPENSSL_VERSION
         "), IDNA (libidn2 " CARRONADE_IDN2_VERSION "), IPv6, Unix sockets, epoll, test server";
}

std::string build_description() { return CARRONADE_BUILD_DESCRIPTION; }

}  // namespace carronade::cli
