// What a user remembers: cookies, logins, pauses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "dialects/siege/siege_user.h"
#include "dialects/siege/siege_user_test_support.h"

namespace carronade::dialects::siege {
namespace {

TEST_F(SiegeUserTest, Cookies) {
  plan_.settings.headers = {"Cookie: own=1"};
  start();
  EXPECT_EQ(field_of(whole(), "Cookie"), "own=1");
  answer(200, "Set-Cookie: a=b\r\nset-cookie: c=d; path=/elsewhere\r\n");
  EXPECT_EQ(field_of(whole(), "Cookie"), "a=b; own=1");
}

TEST_F(SiegeUserTest, SessionsExpireWithThePass) {
  plan_.settings.expire_session = true;
  list_of({"/0", "/1"});
  start();
  next();
  answer(200, "Set-Cookie: a=b\r\n");
  EXPECT_EQ(field_of(whole(), "Cookie"), "a=b");
  answer(200);
  EXPECT_EQ(field_of(whole(), "Cookie"), "");
}

TEST_F(SiegeUserTest, LogsInByRealm) {
  plan_.settings.logins = {{"general", "x", ""}, {"u", "p", "inner"}};
  start();
  next();
  EXPECT_TRUE(answer(401, "WWW-Authenticate: Basic realm=inner\r\n").successful);
  const std::string second = whole();
  EXPECT_TRUE(second.starts_with("GET /one ")) << second;
  EXPECT_EQ(field_of(second, "Authorization"), "Basic dTpw");
  answer(200);
  EXPECT_EQ(field_of(whole(), "Authorization"), "Basic dTpw") << "known from now on";
}

TEST_F(SiegeUserTest, GivesUpLoggingIn) {
  plan_.settings.logins = {{"u", "p", ""}};
  plan_.settings.reps = 1;
  start();
  int requests = 0;
  for (; !user_->finished(); ++requests) {
    next();
    EXPECT_TRUE(answer(401, "WWW-Authenticate: Basic realm=x\r\n").hit);
  }
  EXPECT_EQ(requests, 5);
}

TEST_F(SiegeUserTest, CredentialsOfTheUrlAndDigest) {
  plan_.settings.url = "http://u:p@h.example/one";
  start();
  EXPECT_EQ(field_of(whole(), "Authorization"), "") << "not before it is asked for";
  answer(401,
         "WWW-Authenticate: Basic realm=x\r\n"
         "WWW-Authenticate: Digest realm=x, nonce=n, qop=\"auth\"\r\n");
  EXPECT_TRUE(field_of(whole(), "Authorization").starts_with("Digest username=\"u\""));
  answer(200);
  EXPECT_NE(field_of(whole(), "Authorization").find("nc=00000002"), std::string::npos);
}

TEST_F(SiegeUserTest, ThroughAProxy) {
  plan_.settings.proxy_host = "proxy.example";
  plan_.settings.proxy_logins = {{"u", "p", ""}};
  start();
  EXPECT_EQ(plan_.origins.urls()[0].origin(), "http://proxy.example:3128");
  EXPECT_EQ(next(), "GET http://h.example/one");
  answer(407, "Proxy-Authenticate: Basic realm=x\r\n");
  EXPECT_EQ(field_of(whole(), "Proxy-Authorization"), "Basic dTpw");
  answer(302, "Location: http://anywhere.example/two\r\n");
  EXPECT_EQ(next(), "GET http://anywhere.example/two");
}

// The tunnel is the engine's: what goes through it is as without a proxy.
TEST_F(SiegeUserTest, HttpsThroughAProxy) {
  plan_.settings.proxy_host = "proxy.example";
  plan_.settings.proxy_logins = {{"u", "p", ""}};
  start();
  EXPECT_EQ(next(), "GET http://h.example/one");
  answer(407, "Proxy-Authenticate: Basic realm=x\r\n");
  whole();
  answer(302, "Location: https://h.example/safe\r\n");
  EXPECT_EQ(field_of(whole(), "Proxy-Authorization"), "");
  answer(302, "Location: https://h.example/safe2\r\n");
  EXPECT_EQ(next(), "GET /safe2");
  const std::vector<Url>& places = plan_.origins.urls();
  ASSERT_GE(places.size(), 2U);
  EXPECT_EQ(places[0].origin(), "http://proxy.example:3128");
  EXPECT_EQ(places[1].origin(), "https://h.example");
}

TEST_F(SiegeUserTest, LoginUrlsComeFirst) {
  plan_.settings.login_urls = {"http://h.example/login0 POST a=b", "http://h.example/login1"};
  plan_.settings.reps = 1;
  start(3);
  EXPECT_EQ(next(), "GET /login1");
  answer(200);
  EXPECT_EQ(next(), "GET /one");
  answer(200);
  EXPECT_TRUE(user_->finished());
}

TEST_F(SiegeUserTest, AForbiddenPageIsTriedOnceMoreBehindTheAuthUrl) {
  plan_.settings.auth_urls = {"http://h.example/auth"};
  plan_.settings.reps = 1;
  start();
  next();
  EXPECT_TRUE(answer(403).hit);
  EXPECT_EQ(next(), "GET /auth");
  answer(200);
  EXPECT_EQ(next(), "GET /one");
  answer(403);
  EXPECT_TRUE(user_->finished());
}

TEST_F(SiegeUserTest, TheCacheAsksWhetherItIsStillGood) {
  plan_.settings.cache = true;
  start();
  EXPECT_EQ(field_of(whole(), "If-None-Match"), "");
  answer(200, "ETag: \"abc\"\r\nLast-Modified: Tue, 01 Dec 2026 08:00:00 GMT\r\n");
  const std::string again = whole();
  EXPECT_EQ(field_of(again, "If-None-Match"), "\"abc\"");
  EXPECT_EQ(field_of(again, "If-Modified-Since"), "Tue, 01 Dec 2026 08:00:00 GMT");
}

TEST_F(SiegeUserTest, TheCacheDoesNotGrowForEver) {
  plan_.settings.cache = true;
  constexpr size_t kKept = 10'000;
  std::vector<std::string> paths;
  for (size_t i = 0; i <= kKept; ++i) paths.push_back("/" + std::to_string(i));
  list_of(paths);
  start();
  for (size_t i = 0; i <= kKept; ++i) {
    EXPECT_EQ(field_of(whole(), "If-None-Match"), "");
    answer(200, "ETag: \"abc\"\r\n");
  }
  for (size_t i = 0; i <= kKept; ++i) {
    const std::string request = whole();
    ASSERT_EQ(field_of(request, "If-None-Match"), i < kKept ? "\"abc\"" : "") << request;
    answer(200, "ETag: \"abc\"\r\n");
  }
}

TEST_F(SiegeUserTest, PausesBehindPagesOnly) {
  plan_.settings.delay_s = 2;
  start();
  EXPECT_EQ(user_->pause_ns(), 0) << "before the first page";
  next();
  answer(302, "Location: /two\r\n");
  EXPECT_EQ(user_->pause_ns(), 0) << "before what belongs to the page";
  next();
  answer(200);
  int64_t longest_ns = 0;
  for (int i = 0; i < 1000; ++i) {
    const int64_t pause_ns = user_->pause_ns();
    EXPECT_GE(pause_ns, 0);
    EXPECT_LE(pause_ns, 2'000'000'000);
    longest_ns = std::max(longest_ns, pause_ns);
  }
  EXPECT_GT(longest_ns, 1'900'000'000);
  plan_.settings.quirks = true;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(user_->pause_ns() % 1'000'000'000, 0);
  plan_.settings.benchmark = true;
  EXPECT_EQ(user_->pause_ns(), 0);
}

TEST_F(SiegeUserTest, AnAnswerNobodyWaitsForLeadsNowhere) {
  start();
  next();
  user_->lost();
  EXPECT_TRUE(answer(302, "Location: /two\r\n").hit);
  EXPECT_EQ(next(), "GET /one");
}

TEST_F(SiegeUserTest, GetModeAsksForTheHead) {
  plan_.settings.get = true;
  start();
  EXPECT_TRUE(whole().starts_with("HEAD /one HTTP/1.0\r\n"));
  answer(302, "Location: /two\r\n");
  EXPECT_EQ(next(), "HEAD /two");
}

}  // namespace
}  // namespace carronade::dialects::siege
