#include "dialects/siege/siege_user.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "dialects/siege/siege_user_test_support.h"

namespace carronade::dialects::siege {
namespace {

TEST_F(SiegeUserTest, RequestsAsSiegeWritesThem) {
  plan_.settings.headers = {"X-One: 1", "X-Two:2"};
  start();
  EXPECT_EQ(whole(),
            "GET /one HTTP/1.1\r\nHost: h.example\r\nAccept: */*\r\n"
            "Accept-Encoding: gzip, deflate\r\nUser-Agent: test\r\nX-One: 1\r\nX-Two: 2\r\n"
            "Connection: close\r\n\r\n");
}

TEST_F(SiegeUserTest, BodiesAndReplacedHeaders) {
  plan_.settings.url = "http://h.example:81/one POST a=b";
  plan_.settings.headers = {"host: other", "Accept: text/html", "Cookie: c=d"};
  plan_.settings.keep_alive = true;
  plan_.settings.content_type = "application/json";
  start();
  EXPECT_EQ(whole(),
            "POST /one HTTP/1.1\r\nHost: other\r\nCookie: c=d\r\nAccept: text/html\r\n"
            "Accept-Encoding: gzip, deflate\r\nUser-Agent: test\r\nConnection: keep-alive\r\n"
            "Content-Type: application/json\r\nContent-Length: 3\r\n\r\na=b");
}

TEST_F(SiegeUserTest, HeadersThatAreNone) {
  plan_.settings.headers = {"nocolon"};
  EXPECT_EQ(complete_plan(plan_).error().text, "no ':' in http-header");
  plan_.settings.headers = {"A: b\r\nC: d"};
  EXPECT_FALSE(complete_plan(plan_).has_value());
}

TEST_F(SiegeUserTest, RepetitionsOfThePagesAlone) {
  plan_.settings.reps = 2;
  start();
  EXPECT_EQ(next(), "GET /one");
  EXPECT_FALSE(user_->finished());
  answer(302, "Location: /two\r\n");
  EXPECT_EQ(next(), "GET /two");
  answer(200);
  EXPECT_EQ(next(), "GET /one");
  user_->lost();
  EXPECT_TRUE(user_->finished());
  EXPECT_EQ(next(), "");
}

TEST_F(SiegeUserTest, WalksInTurnFromItsOwnPlace) {
  plan_.settings.concurrent = 2;
  list_of({"/0", "/1", "/2", "/3", "/4"});
  start(1);
  for (const std::string path : {"/2", "/3", "/4", "/0", "/1", "/2"}) {
    EXPECT_EQ(next(), "GET " + path);
    answer(200);
  }
}

TEST_F(SiegeUserTest, OnceIsOnceForEachUser) {
  plan_.settings.concurrent = 2;
  plan_.settings.once = true;
  list_of({"/0", "/1"});
  start(1);
  EXPECT_EQ(next(), "GET /0");
  answer(200);
  EXPECT_EQ(next(), "GET /1");
  answer(200);
  EXPECT_TRUE(user_->finished());
}

TEST_F(SiegeUserTest, AtRandomFollowsFromTheSeed) {
  plan_.settings.internet = true;
  list_of({"/0", "/1", "/2", "/3"});
  const auto walk = [this] {
    start();
    std::string paths;
    for (int i = 0; i < 40; ++i) {
      paths += next().substr(5);
      answer(200);
    }
    return paths;
  };
  const std::string first = walk();
  EXPECT_EQ(walk(), first);
  plan_.settings.seed = 2;
  EXPECT_NE(walk(), first);
  for (const char path : {'0', '1', '2', '3'}) EXPECT_NE(first.find(path), std::string::npos);
}

TEST_F(SiegeUserTest, WhatCountsAsWhat) {
  start();
  const auto count = [this](uint16_t status) {
    next();
    const Outcome outcome = answer(status);
    return std::pair(outcome.hit, outcome.successful);
  };
  EXPECT_EQ(count(200), std::pair(true, true));
  EXPECT_EQ(count(304), std::pair(true, true));
  EXPECT_EQ(count(404), std::pair(true, false));
  EXPECT_EQ(count(403), std::pair(true, false));
  EXPECT_EQ(count(408), std::pair(false, false));
  EXPECT_EQ(count(503), std::pair(false, false));
  EXPECT_EQ(count(401), std::pair(true, false)) << "and nothing asked for";
  next();
  const Outcome asked = answer(401, "WWW-Authenticate: Basic realm=x\r\n");
  EXPECT_FALSE(asked.hit) << "nobody to be authorized as";
  EXPECT_NE(asked.notice.find("login"), std::string::npos);
}

TEST_F(SiegeUserTest, NoDataMayBeAFailure) {
  plan_.settings.zero_data_ok = false;
  start();
  next();
  EXPECT_FALSE(answer(200, "", "").hit);
  next();
  EXPECT_TRUE(answer(200, "", "x").hit);
}

TEST_F(SiegeUserTest, RedirectsKeepTheMethodWhereTheyHaveTo) {
  plan_.settings.url = "http://h.example/one POST a=b";
  start();
  next();
  answer(307, "location: two\r\n");
  const std::string same = whole();
  EXPECT_TRUE(same.starts_with("POST /two ")) << same;
  EXPECT_TRUE(same.ends_with("Content-Length: 3\r\n\r\na=b")) << same;
  answer(303, "Location: //h.example/three\r\n");
  const std::string other = whole();
  EXPECT_TRUE(other.starts_with("GET /three ")) << other;
  EXPECT_EQ(other.find("Content-"), std::string::npos) << other;
}

TEST_F(SiegeUserTest, RedirectsThatAreNotFollowed) {
  start();
  next();
  EXPECT_NE(answer(302, "Location: http://other.example/\r\n").notice.find("other.example"),
            std::string::npos);
  EXPECT_EQ(next(), "GET /one");
  EXPECT_EQ(answer(302, "Location: https://h.example/safe\r\n").notice, "");
  std::string out;
  EXPECT_EQ(user_->next(kTestNow, out)->target, 1U) << "https of the same host is expected";
  answer(302);
  EXPECT_EQ(next(), "GET /one");
  plan_.settings.follow = false;
  answer(302, "Location: /two\r\n");
  EXPECT_EQ(next(), "GET /one");
}

TEST_F(SiegeUserTest, ALoopOfRedirectsEnds) {
  start();
  int requests = 0;
  std::string notice;
  for (; requests < 100 && notice.empty(); ++requests) {
    next();
    notice = answer(302, "Location: /one\r\n").notice;
  }
  EXPECT_EQ(requests, 21);
}

TEST_F(SiegeUserTest, PagesBringTheirResources) {
  start();
  const auto links = [this](const std::string& fields, const std::string& page) {
    next();
    answer(200, fields, page);
    std::string all;
    while (!user_->finished()) {
      const std::string line = next();
      if (line == "GET /one") break;
      all += line.substr(4) + " ";
      // Their own content is not looked at.
      answer(200, "Content-Type: text/html\r\n", "<img src=/deeper.png>");
    }
    user_->lost();
    return all;
  };
  const std::string page =
      "<img src=/a.png><script src=b.js></script><img src=http://ad.doubleclick.net/x>"
      "<img src=//elsewhere.example/x><link rel=stylesheet href=/c.css>";
  EXPECT_EQ(links("Content-Type: text/html; charset=x\r\n", page), "/a.png /b.js /c.css ");
  EXPECT_EQ(links("Content-Type: text/plain\r\n", page), "");
  EXPECT_EQ(links("", page), "");
  EXPECT_EQ(links("Content-Type: text/html\r\n", "<meta http-equiv=refresh content='0;url=/m'>"),
            "/m /deeper.png ");
  plan_.settings.parser = false;
  EXPECT_EQ(links("Content-Type: text/html\r\n", page), "");
}

TEST_F(SiegeUserTest, PagesThatCannotBeUnpackedAreSaidSo) {
  start();
  next();
  const Outcome outcome =
      answer(200, "Content-Type: text/html\r\nContent-Encoding: br\r\n", "\x01\x02");
  EXPECT_TRUE(outcome.hit);
  EXPECT_NE(outcome.notice.find("br"), std::string::npos);
}

}  // namespace
}  // namespace carronade::dialects::siege
