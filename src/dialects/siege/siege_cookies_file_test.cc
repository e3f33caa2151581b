#include "dialects/siege/siege_cookies_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carronade::dialects::siege {
namespace {

// As siege 4.0.7 writes it.
constexpr std::string_view kFile =
    "#\n"
    "# Siege cookies file. …\n"
    "139786633467584 | a=b; domain=.example.org; path=/; expires=1827619200\n"
    "139786633467584 | old=1; domain=.example.org; path=/; expires=5\n"
    "not a cookie\n"
    "1 | =x; domain=y\n"
    "1 | lost=x\n";

TEST(SiegeCookiesFile, ReadsWhatSiegeWrites) {
  const std::vector<http::Cookie> cookies = read_cookies(kFile, 1000);
  ASSERT_EQ(cookies.size(), 1U);
  EXPECT_EQ(cookies[0].name, "a");
  EXPECT_EQ(cookies[0].value, "b");
  EXPECT_EQ(cookies[0].domain, "example.org");
  EXPECT_FALSE(cookies[0].host_only);
  EXPECT_EQ(cookies[0].expires_s, 1827619200);
}

TEST(SiegeCookiesFile, WhatIsWrittenIsReadAgain) {
  std::vector<http::Cookie> cookies = read_cookies(kFile, 1000);
  cookies.push_back({.name = "session", .value = "x", .domain = "h", .path = "/"});
  const std::string text = cookies_text(cookies);
  EXPECT_EQ(text.find("session"), std::string::npos);
  const std::vector<http::Cookie> again = read_cookies(text, 1000);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].domain, "example.org");
}

}  // namespace
}  // namespace carronade::dialects::siege
