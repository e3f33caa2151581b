#include "dialects/vegeta/vegeta_attack_request.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carronade::dialects::vegeta {
namespace {

AttackTarget target(const std::string& method, const std::string& url,
                    std::vector<Header> headers = {}, const std::string& body = "") {
  AttackTarget made;
  made.method = method;
  made.url_text = url;
  made.headers = std::move(headers);
  if (!body.empty()) made.body = std::make_shared<const std::string>(body);
  EXPECT_TRUE(check_target(made).has_value()) << url;
  return made;
}

std::string text_of(const AttackRequest& request, uint64_t seq = 7) {
  std::string text;
  append_request(request, seq, text);
  return text;
}

std::string written(const AttackTarget& of, const RequestRules& rules = {},
                    const Proxy* proxy = nullptr) {
  std::vector<std::string> dropped;
  return text_of(make_request(of, rules, proxy, dropped));
}

TEST(VegetaAttackRequest, WritesWhatGoWrites) {
  EXPECT_EQ(written(target("GET", "http://h:81/a?b=1#frag")),
            "GET /a?b=1 HTTP/1.1\r\nHost: h:81\r\nUser-Agent: Go-http-client/1.1\r\n"
            "X-Vegeta-Seq: 7\r\nAccept-Encoding: gzip\r\n\r\n");
  EXPECT_EQ(written(target("HEAD", "http://h:80")),
            "HEAD / HTTP/1.1\r\nHost: h:80\r\nUser-Agent: Go-http-client/1.1\r\n"
            "X-Vegeta-Seq: 7\r\n\r\n");
}

TEST(VegetaAttackRequest, SortsHeadersAroundItsOwn) {
  EXPECT_EQ(written(target("GET", "http://u:p%20w@h/",
                           {{"zed", "2"}, {"Zed", "1"}, {"X-Vegeta-Seq", "9"}, {"Author", "x"}}),
                    {.attack_name = "big"}),
            "GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: Go-http-client/1.1\r\nAuthor: x\r\n"
            "Authorization: Basic dTpwIHc=\r\nX-Vegeta-Attack: big\r\nX-Vegeta-Seq: 7\r\nZed: 1\r\n"
            "zed: 2\r\nAccept-Encoding: gzip\r\n\r\n");
}

TEST(VegetaAttackRequest, KeepsCaseAndRepetitions) {
  const std::vector<Header> headers{
      {"X-lower", "1"}, {"x-lower", "2"},      {"X-Dup", "1"},
      {"X-Dup", "2"},   {"Host", "a.example"}, {"Host", "b.example"},
      {"host", "low"},  {"User-Agent", "me"},  {"Accept-Encoding", "br"}};
  EXPECT_EQ(
      written(target("GET", "http://h/", headers)),
      "GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: me\r\nAccept-Encoding: br\r\n"
      "X-Dup: 1\r\nX-Dup: 2\r\nX-Vegeta-Seq: 7\r\nX-lower: 1\r\nhost: low\r\nx-lower: 2\r\n\r\n");
}

TEST(VegetaAttackRequest, FramesBodies) {
  const std::string start = " / HTTP/1.1\r\nHost: h\r\nUser-Agent: Go-http-client/1.1\r\n";
  const std::string end = "X-Vegeta-Seq: 7\r\nAccept-Encoding: gzip\r\n\r\n";
  for (const char* method : {"POST", "PUT", "PATCH"}) {
    EXPECT_EQ(written(target(method, "http://h/")), method + start + "Content-Length: 0\r\n" + end);
  }
  EXPECT_EQ(written(target("DELETE", "http://h/", {}, "hello-body")),
            "DELETE" + start + "Content-Length: 10\r\n" + end + "hello-body");
  EXPECT_EQ(written(target("GET", "http://h/")), "GET" + start + end);
  EXPECT_EQ(
      written(target("POST", "http://h/", {}, "hello-body"), {.chunked = true}),
      "POST" + start + "Transfer-Encoding: chunked\r\n" + end + "a\r\nhello-body\r\n0\r\n\r\n");
  EXPECT_EQ(written(target("POST", "http://h/"), {.chunked = true}),
            "POST" + start + "Content-Length: 0\r\n" + end);
}

TEST(VegetaAttackRequest, TellsWhatItLeavesOut) {
  std::vector<std::string> dropped;
  const AttackRequest request = make_request(
      target("POST", "http://h/",
             {{"Content-Length", "99"}, {"transfer-encoding", "x"}, {"Trailer", "t"}, {"K", "v"}},
             "abc"),
      {}, nullptr, dropped);
  EXPECT_EQ(dropped,
            (std::vector<std::string>{"Content-Length: 99", "transfer-encoding: x", "Trailer: t"}));
  EXPECT_NE(text_of(request).find("Content-Length: 3\r\nK: v\r\n"), std::string::npos);
  EXPECT_EQ(request.bytes_out, 3U);
}

TEST(VegetaAttackRequest, KnowsTheLastOneOnASocket) {
  std::vector<std::string> dropped;
  const AttackTarget plain = target("GET", "http://h/");
  EXPECT_FALSE(make_request(plain, {}, nullptr, dropped).last_on_socket);
  const AttackRequest once = make_request(plain, {.keep_alive = false}, nullptr, dropped);
  EXPECT_TRUE(once.last_on_socket);
  EXPECT_TRUE(once.back.ends_with("Accept-Encoding: gzip\r\nConnection: close\r\n\r\n"));
  const AttackRequest asked = make_request(target("GET", "http://h/", {{"Connection", "x, Close"}}),
                                           {.keep_alive = false}, nullptr, dropped);
  EXPECT_TRUE(asked.last_on_socket);
  EXPECT_EQ(text_of(asked).find("Connection: close"), std::string::npos);
}

TEST(VegetaAttackRequest, GoesOverAProxy) {
  const Proxy proxy{.url = *parse_url("http://proxy:3128"), .authorization = "Basic YTpi"};
  EXPECT_EQ(written(target("GET", "http://h:81/a?b", {{"Host", "bar"}}), {}, &proxy),
            "GET http://bar/a?b HTTP/1.1\r\nHost: bar\r\nUser-Agent: Go-http-client/1.1\r\n"
            "X-Vegeta-Seq: 7\r\nAccept-Encoding: gzip\r\nProxy-Authorization: Basic YTpi\r\n\r\n");
}

std::string followed(const AttackTarget& of, uint16_t status, const std::string& to,
                     const RequestRules& rules = {}) {
  std::vector<std::string> dropped;
  const AttackRequest first = make_request(of, rules, nullptr, dropped);
  return text_of(redirected(first, of.url, *parse_url(to), status, rules, nullptr));
}

TEST(VegetaAttackRequest, FollowsWithGetAndWithoutBody) {
  const AttackTarget post =
      target("POST", "http://h/a?b", {{"Content-Type", "x"}, {"Cookie", "y"}}, "hello-body");
  for (const uint16_t status : {301, 302, 303}) {
    EXPECT_EQ(followed(post, status, "http://h/next"),
              "GET /next HTTP/1.1\r\nHost: h\r\nUser-Agent: Go-http-client/1.1\r\n"
              "Content-Type: x\r\nCookie: y\r\nReferer: http://h/a?b\r\nX-Vegeta-Seq: 7\r\n"
              "Accept-Encoding: gzip\r\n\r\n");
  }
  EXPECT_TRUE(
      followed(target("HEAD", "http://h/"), 302, "http://h/next").starts_with("HEAD /next"));
}

TEST(VegetaAttackRequest, FollowsWithTheSameMethodAndBody) {
  const AttackTarget put = target("PUT", "http://h/", {{"Host", "foo.example"}}, "hello-body");
  for (const uint16_t status : {307, 308}) {
    for (const bool chunked : {false, true}) {
      const std::string text = followed(put, status, "http://h/next", {.chunked = chunked});
      EXPECT_TRUE(text.starts_with("PUT /next HTTP/1.1\r\nHost: foo.example\r\n")) << text;
      EXPECT_TRUE(
          text.ends_with(chunked ? "\r\n\r\na\r\nhello-body\r\n0\r\n\r\n" : "\r\n\r\nhello-body"))
          << text;
    }
  }
}

TEST(VegetaAttackRequest, TakesNoCredentialsToAnotherHost) {
  const AttackTarget get =
      target("GET", "http://u:p@h/a", {{"Cookie", "y"}, {"Host", "foo.example"}, {"K", "v"}});
  EXPECT_EQ(followed(get, 302, "http://other/b"),
            "GET /b HTTP/1.1\r\nHost: other\r\nUser-Agent: Go-http-client/1.1\r\nK: v\r\n"
            "Referer: http://h/a\r\nX-Vegeta-Seq: 7\r\nAccept-Encoding: gzip\r\n\r\n");
  EXPECT_EQ(followed(target("GET", "https://h/a"), 302, "http://h/b").find("Referer"),
            std::string::npos);
}

TEST(VegetaAttackRequest, KnowsRedirects) {
  for (const uint16_t status : {301, 302, 303, 307, 308}) EXPECT_TRUE(is_redirect(status));
  for (const uint16_t status : {200, 300, 304, 305, 306, 309}) EXPECT_FALSE(is_redirect(status));
}

}  // namespace
}  // namespace carronade::dialects::vegeta
