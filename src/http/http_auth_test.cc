#include "http/http_auth.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carronade::http {
namespace {

TEST(HttpAuth, ReadsBasic) {
  const std::vector<Challenge> found =
      parse_challenges(R"(Basic realm="a \"b\" c", charset=UTF-8)");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].scheme, AuthScheme::kBasic);
  EXPECT_EQ(found[0].realm, R"(a "b" c)");
  EXPECT_TRUE(found[0].usable());
}

TEST(HttpAuth, ReadsDigest) {
  const std::vector<Challenge> found = parse_challenges(
      R"(digest realm="x",nonce = "n,1" , qop="auth-int, auth", algorithm=SHA-256-sess,)"
      R"( stale=TRUE, opaque="o")");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].scheme, AuthScheme::kDigest);
  EXPECT_EQ(found[0].nonce, "n,1");
  EXPECT_EQ(found[0].opaque, "o");
  EXPECT_EQ(found[0].hash, DigestHash::kSha256);
  EXPECT_TRUE(found[0].session);
  EXPECT_TRUE(found[0].qop_auth);
  EXPECT_TRUE(found[0].stale);
  EXPECT_TRUE(found[0].usable());
}

TEST(HttpAuth, SeveralInOneField) {
  const std::vector<Challenge> found = parse_challenges(
      R"(NTLM TlRMTVNTUAAC==, Basic realm="b", Digest realm="d", nonce="1", Digest realm="e",)"
      R"( nonce="2", algorithm=SHA-256)");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].scheme, AuthScheme::kOther);
  EXPECT_EQ(found[0].scheme_name, "NTLM");
  EXPECT_FALSE(found[0].usable());
  EXPECT_EQ(found[2].realm, "d");
  EXPECT_EQ(strongest(found), &found[3]);
  EXPECT_EQ(strongest({found[0]}), nullptr);
  EXPECT_EQ(strongest({}), nullptr);
}

TEST(HttpAuth, WhatItCannotAnswer) {
  EXPECT_FALSE(parse_challenges("Digest realm=x")[0].usable());
  EXPECT_FALSE(parse_challenges("Digest realm=x, nonce=1, qop=auth-int")[0].usable());
  EXPECT_FALSE(parse_challenges("Digest realm=x, nonce=1, algorithm=SHA-512-256")[0].usable());
}

TEST(HttpAuth, OddBytesEndSomewhere) {
  for (const std::string text :
       {"", ",,,", "=", "\"", "\"\"=", "Basic realm=\"open", "a=b", "a b c", "Basic realm",
        "Basic =", "Digest \\", "Basic realm=\"x\\"}) {
    (void)parse_challenges(text);
  }
}

TEST(HttpAuth, AnswersBasic) {
  EXPECT_EQ(basic_authorization({"u", "p"}), "Basic dTpw");
  Authenticator basic(parse_challenges("Basic realm=x")[0], {"Aladdin", "open sesame"}, "c");
  EXPECT_EQ(basic.authorization("GET", "/"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  EXPECT_EQ(basic.authorization("GET", "/"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}

// The examples of RFC 2617 3.5 and RFC 7616 3.9.1.
TEST(HttpAuth, AnswersMd5) {
  Authenticator digest(parse_challenges(R"(Digest realm="testrealm@host.com", qop="auth,auth-int",)"
                                        R"( nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093",)"
                                        R"( opaque="5ccc069c403ebaf9f0171e9517f40e41")")[0],
                       {"Mufasa", "Circle Of Life"}, "0a4f113b");
  EXPECT_EQ(digest.authorization("GET", "/dir/index.html"),
            R"(Digest username="Mufasa", realm="testrealm@host.com",)"
            R"( nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", uri="/dir/index.html",)"
            R"( response="6629fae49393a05397450978507c4ef1",)"
            R"( opaque="5ccc069c403ebaf9f0171e9517f40e41", qop=auth, nc=00000001,)"
            R"( cnonce="0a4f113b")");
  EXPECT_NE(digest.authorization("GET", "/dir/index.html").find("nc=00000002"), std::string::npos);
}

TEST(HttpAuth, AnswersSha256) {
  Authenticator digest(
      parse_challenges(
          R"(Digest realm="http-auth@example.org", qop="auth, auth-int",)"
          R"( algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",)"
          R"( opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")")[0],
      {"Mufasa", "Circle of Life"}, "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ");
  EXPECT_NE(digest.authorization("GET", "/dir/index.html")
                .find("753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
            std::string::npos);
}

TEST(HttpAuth, AnswersTheOldFormWithoutQop) {
  Authenticator digest(parse_challenges("Digest realm=\"r\", nonce=\"n\"")[0], {"u", "p"}, "c");
  const std::string answer = digest.authorization("GET", "/");
  EXPECT_EQ(answer.find("nc="), std::string::npos);
  EXPECT_EQ(answer.find("cnonce"), std::string::npos);
}

TEST(HttpAuth, QuotesInNamesAreEscaped) {
  Authenticator digest(parse_challenges(R"(Digest realm="a\"b", nonce="n")")[0], {"u\"v", "p"},
                       "c");
  const std::string answer = digest.authorization("GET", "/");
  EXPECT_NE(answer.find(R"(username="u\"v", realm="a\"b")"), std::string::npos) << answer;
}

}  // namespace
}  // namespace carronade::http
