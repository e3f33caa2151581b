#include "dialects/wrk/wrk_url.h"

#include <gtest/gtest.h>

namespace carronade::dialects::wrk {
namespace {

script::ScriptSite read(const char* text, bool quirks = false) {
  const auto site = read_url(text, quirks);
  EXPECT_TRUE(site) << text;
  return site.value_or(script::ScriptSite{});
}

TEST(WrkUrl, Parts) {
  const script::ScriptSite site = read("http://user:pw@h.example:81/a/b?x=1#frag");
  EXPECT_EQ(site.scheme, "http");
  EXPECT_EQ(site.host, "h.example");
  EXPECT_EQ(site.port, "81");
  EXPECT_EQ(site.path, "/a/b?x=1#frag");
  EXPECT_EQ(read("HTTPS://h").scheme, "https");
  EXPECT_EQ(read("http://h").path, "/");
  EXPECT_EQ(read("http://h").port, std::nullopt);
}

TEST(WrkUrl, Ipv6Literal) {
  EXPECT_EQ(read("http://[::1]/").host, "::1");
  EXPECT_EQ(read("http://[::1]:8080").port, "8080");
}

TEST(WrkUrl, QueryWithoutAPathIsSentUnlessAsWrk) {
  EXPECT_EQ(read("http://h?x=1").path, "/?x=1");
  EXPECT_EQ(read("http://h?x=1", true).path, "/");
  EXPECT_EQ(read("http://h#f").path, "/");
}

TEST(WrkUrl, WhatIsNone) {
  for (const char* text : {"", "h", "127.0.0.1:80/", "://h/", "http://", "http:///p", "http://:80/",
                           "http://h:/", "http://h:x/", "http://h:65536/", "http://[::1/",
                           "http://[::1]x/", "http://a b/", "ht-tp://h/", "http://h/\x01"}) {
    const auto site = read_url(text, false);
    ASSERT_FALSE(site) << text;
    EXPECT_EQ(site.error().text, std::string("invalid URL: ") + text);
  }
}

}  // namespace
}  // namespace carronade::dialects::wrk
