#include "http/proxy_url.h"

#include <gtest/gtest.h>

namespace carronade::http {
namespace {

TEST(ProxyUrl, HostPortAndCredentials) {
  const auto proxy = parse_proxy("http://ann:b%3Ac@proxy.example:3128");
  ASSERT_TRUE(proxy) << proxy.error().text;
  EXPECT_EQ(proxy->url.host, "proxy.example");
  EXPECT_EQ(proxy->url.port, 3128);
  EXPECT_EQ(proxy->url.user, "ann");
  EXPECT_EQ(proxy->url.password, "b:c");
  EXPECT_TRUE(proxy->headers.empty());
}

TEST(ProxyUrl, TheSchemeMayBeLeftOut) {
  EXPECT_EQ(parse_proxy("10.0.0.1:8080")->url.origin(), "http://10.0.0.1:8080");
  EXPECT_EQ(parse_proxy("[::1]:8080")->url.host, "::1");
  EXPECT_EQ(parse_proxy("HTTP://proxy/")->url.port, 80);
}

std::string error_of(std::string_view text) {
  const auto proxy = parse_proxy(text);
  return proxy ? "none" : proxy.error().text;
}

TEST(ProxyUrl, OtherKindsAreRefused) {
  const std::string kind = "only HTTP proxies are spoken with: http://[user:pass@]host:port";
  EXPECT_EQ(error_of("socks5://proxy:1080"), "proxy \"socks5://proxy:1080\": " + kind);
  EXPECT_EQ(error_of("https://u:secret@proxy"), "proxy \"https://…@proxy\": " + kind);
  EXPECT_EQ(error_of("ws://proxy"), "proxy \"ws://proxy\": " + kind);
}

TEST(ProxyUrl, FaultsInOneLineWithoutThePassword) {
  const std::string form = " is not http://[user:pass@]host:port";
  EXPECT_EQ(error_of(""), "proxy \"\"" + form);
  EXPECT_EQ(error_of("http://proxy:99999"), "proxy \"http://proxy:99999\"" + form);
  EXPECT_EQ(error_of("http://proxy/path"), "proxy \"http://proxy/path\"" + form);
  EXPECT_EQ(error_of("u:secret@:1"), "proxy \"…@:1\"" + form);
}

}  // namespace
}  // namespace carronade::http
