#include "http/cookie_jar.h"

#include <gtest/gtest.h>

#include <string>

namespace carronade::http {
namespace {

constexpr int64_t kNow = 1'000'000'000;  // 2001-09-09

Url url(const std::string& text) { return parse_url(text).value(); }

std::string sent(const CookieJar& jar, const std::string& to, int64_t now_s = kNow) {
  std::string value;
  jar.append_header(url(to), now_s, value);
  return value;
}

TEST(CookieJar, GivesBackWhatWasSet) {
  CookieJar jar;
  EXPECT_TRUE(jar.empty());
  EXPECT_EQ(sent(jar, "http://a.example/"), "");
  jar.set("a=b", url("http://a.example/x/y"), kNow);
  jar.set(" c = d e ; HttpOnly; SameSite=Lax", url("http://a.example/x/y"), kNow);
  EXPECT_EQ(sent(jar, "http://a.example/x/z"), "a=b; c=d e");
  EXPECT_EQ(sent(jar, "http://a.example/x?q=/y"), "a=b; c=d e");
  EXPECT_EQ(sent(jar, "http://a.example/xy"), "");
  EXPECT_EQ(sent(jar, "http://b.example/x/z"), "");
  jar.set("a=new; path=/x", url("http://a.example/"), kNow);
  EXPECT_EQ(sent(jar, "http://a.example/x"), "a=new; c=d e");
  jar.clear();
  EXPECT_TRUE(jar.empty());
}

TEST(CookieJar, TakesNoCookieWithoutAName) {
  CookieJar jar;
  jar.set("novalue", url("http://a.example/"), kNow);
  jar.set("=x", url("http://a.example/"), kNow);
  jar.set("", url("http://a.example/"), kNow);
  EXPECT_TRUE(jar.empty());
}

TEST(CookieJar, LongerPathsGoFirst) {
  CookieJar jar;
  jar.set("root=1; path=/", url("http://a.example/"), kNow);
  jar.set("deep=2; path=/x/y", url("http://a.example/"), kNow);
  jar.set("mid=3; path=/x/", url("http://a.example/"), kNow);
  EXPECT_EQ(sent(jar, "http://a.example/x/y/z"), "deep=2; mid=3; root=1");
  EXPECT_EQ(sent(jar, "http://a.example/x/"), "mid=3; root=1");
}

TEST(CookieJar, DomainsReachBelowThemselvesOnly) {
  CookieJar jar;
  jar.set("wide=1; Domain=.Shop.example", url("http://www.shop.example/"), kNow);
  jar.set("own=2", url("http://www.shop.example/"), kNow);
  jar.set("foreign=3; domain=other.example", url("http://www.shop.example/"), kNow);
  jar.set("top=4; domain=example", url("http://www.shop.example/"), kNow);
  EXPECT_EQ(sent(jar, "http://www.shop.example/"), "wide=1; own=2");
  EXPECT_EQ(sent(jar, "http://shop.example/"), "wide=1");
  EXPECT_EQ(sent(jar, "http://myshop.example/"), "");
}

TEST(CookieJar, AddressesMatchWholly) {
  CookieJar jar;
  jar.set("a=1; domain=0.0.1", url("http://127.0.0.1/"), kNow);
  EXPECT_TRUE(jar.empty());
  jar.set("a=1; domain=127.0.0.1", url("http://127.0.0.1/"), kNow);
  EXPECT_EQ(sent(jar, "http://127.0.0.1:8080/"), "a=1");
}

TEST(CookieJar, CookiesEnd) {
  CookieJar jar;
  const Url from = url("http://a.example/");
  jar.set("age=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT", from, kNow);
  jar.set("date=2; Expires=Sun, 09 Sep 2001 01:46:50 GMT", from, kNow);
  EXPECT_EQ(sent(jar, "http://a.example/", kNow + 9), "age=1; date=2");
  EXPECT_EQ(sent(jar, "http://a.example/", kNow + 10), "");
  jar.set("age=; Max-Age=0", from, kNow);
  EXPECT_EQ(sent(jar, "http://a.example/"), "date=2");
  jar.set("date=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", from, kNow);
  EXPECT_TRUE(jar.empty());
  jar.set("long=1; max-age=99999999999999999999", from, kNow);
  EXPECT_EQ(sent(jar, "http://a.example/", kNow * 5), "long=1");
}

TEST(CookieJar, SecureCookiesStayOnHttps) {
  CookieJar jar;
  jar.set("plain=1; Secure", url("http://a.example/"), kNow);
  EXPECT_TRUE(jar.empty());
  jar.set("safe=1; Secure", url("https://a.example/"), kNow);
  EXPECT_EQ(sent(jar, "https://a.example/"), "safe=1");
  EXPECT_EQ(sent(jar, "http://a.example/"), "");
}

TEST(CookieDate, FormsOfTheRfc) {
  const int64_t expected = 784'111'777;
  EXPECT_EQ(parse_cookie_date("Sun, 06 Nov 1994 08:49:37 GMT"), expected);
  EXPECT_EQ(parse_cookie_date("Sunday, 06-Nov-94 08:49:37 GMT"), expected);
  EXPECT_EQ(parse_cookie_date("Sun Nov  6 08:49:37 1994"), expected);
  EXPECT_EQ(parse_cookie_date("06-nov-1994 8:49:37"), expected);
  EXPECT_EQ(parse_cookie_date("Thu, 01-Jan-1970 00:00:00 GMT"), 0);
  EXPECT_FALSE(parse_cookie_date("tomorrow").has_value());
  EXPECT_FALSE(parse_cookie_date("31 Feb 2024 00:00:00").has_value());
  EXPECT_FALSE(parse_cookie_date("1 Jan 2024 24:00:00").has_value());
  EXPECT_FALSE(parse_cookie_date("1 Jan 1600 00:00:00").has_value());
  EXPECT_FALSE(parse_cookie_date("").has_value());
}

}  // namespace
}  // namespace carronade::http
