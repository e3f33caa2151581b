#include "net/tls_system_trust.h"

#include <gtest/gtest.h>

#include <array>

namespace carronade::net {
namespace {

const std::string kThere = "/proc/self/status";  // a file that can be read on every system
const std::string kFolder = "/proc/self";
const std::string kNowhere = "/nowhere/ca.pem";

TEST(TlsSystemTrust, LooksElsewhereOnlyWhereNothingIsInTheUsualPlaces) {
  const std::array<std::string, 3> elsewhere{kNowhere, kThere, "/proc/self/stat"};
  EXPECT_EQ(certificates_elsewhere(std::array{kNowhere}, elsewhere), kThere);
  EXPECT_EQ(certificates_elsewhere(std::array{kNowhere, kFolder}, elsewhere), "");
  EXPECT_EQ(certificates_elsewhere(std::array{kThere}, elsewhere), "");
  EXPECT_EQ(certificates_elsewhere(std::array{kNowhere}, std::array{kNowhere}), "");
}

TEST(TlsSystemTrust, IsNoErrorWhateverIsThere) {
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  EXPECT_TRUE(trust_system(context));
  SSL_CTX_free(context);
}

}  // namespace
}  // namespace carronade::net
