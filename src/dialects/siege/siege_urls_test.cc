#include "dialects/siege/siege_urls.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

namespace carronade::dialects::siege {
namespace {

const SiegeSettings kSettings;

SiegeUrl url(const std::string& text, const SiegeSettings& settings = kSettings) {
  Expected<SiegeUrl> parsed = parse_siege_url(text, settings);
  EXPECT_TRUE(parsed.has_value()) << text << ": " << parsed.error().text;
  return parsed ? *parsed : SiegeUrl();
}

std::vector<SiegeUrl> list(const std::string& text) {
  auto parsed = parse_url_list(text, "urls.txt", kSettings);
  EXPECT_TRUE(parsed.has_value()) << parsed.error().text;
  return parsed ? *parsed : std::vector<SiegeUrl>();
}

TEST(SiegeUrls, PartsAreOptional) {
  EXPECT_EQ(url("www.example.org").url.origin(), "http://www.example.org");
  EXPECT_EQ(url("www.example.org").url.target, "/");
  EXPECT_EQ(url("HTTPS://a.example/x#frag").url.target, "/x");
  EXPECT_TRUE(url("HTTPS://a.example/x").url.tls);
  EXPECT_EQ(url("localhost:8099/x").url.port, 8099) << "no scheme, whatever siege takes it for";
  EXPECT_EQ(url("http://a.example?q=1").url.target, "/?q=1");
  EXPECT_EQ(url("[::1]:81/x").url.host, "::1");
  EXPECT_EQ(url("a:b@h/x").url.user, "a");
  EXPECT_EQ(url("\"http://h/q\"").url.target, "/q");
}

TEST(SiegeUrls, OtherSchemesAreRefused) {
  const auto parsed = parse_siege_url("ftp://h/x", kSettings);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_NE(parsed.error().text.find("ftp"), std::string::npos);
  EXPECT_FALSE(parse_siege_url("", kSettings).has_value());
  EXPECT_FALSE(parse_siege_url("http://", kSettings).has_value());
}

TEST(SiegeUrls, Methods) {
  const SiegeUrl post = url("http://h/x POST   a=1&b=\"two words\"");
  EXPECT_EQ(post.method, "POST");
  EXPECT_EQ(post.body, "a=1&b=\"two words\"");
  EXPECT_EQ(post.url.target, "/x");
  EXPECT_EQ(url("http://h/x PUT y").method, "PUT");
  EXPECT_EQ(url("http://h/x PATCH y").method, "PATCH");
  EXPECT_EQ(url("http://h/x DELETE").method, "DELETE");
  EXPECT_EQ(url("http://h/x OPTIONS").method, "OPTIONS");
  EXPECT_EQ(url("http://h/x POST").body, "");
  EXPECT_EQ(url("http://h/x PUT a POST b").method, "POST") << "in that order of preference";
  EXPECT_EQ(url("http://h/x post a=1").url.target, "/x%20post%20a=1");
  EXPECT_EQ(url("http://h/x POSTING").url.target, "/x%20POSTING");
  EXPECT_EQ(url("http://h/x POST -T application/json {\"a\":1}").content_type, "application/json");
  EXPECT_EQ(url("http://h/x POST -T text/plain; hello world").body, "hello world");
}

TEST(SiegeUrls, Escaping) {
  EXPECT_EQ(escape_target("/%41%2f%zz{}|^~`\xc3\xa9?a=b c&d=%41"),
            "/A%2f%25zz%7B%7D%7C%5E%7E%60%C3%A9?a=b%20c&d=A");
  EXPECT_EQ(url("http://h/a/../b").url.target, "/a/../b");
  EXPECT_EQ(url("http://h/%41 POST x").url.target, "/%41");
  SiegeSettings raw;
  raw.url_escaping = false;
  EXPECT_EQ(url("http://h/%41~", raw).url.target, "/%41~");
}

class SiegeUrlFiles : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) {
    const std::string path = testing::TempDir() + std::to_string(::getpid()) + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
};

TEST_F(SiegeUrlFiles, BodiesFromFiles) {
  EXPECT_EQ(url("http://h/ POST <" + file("a.txt", "body \n\n")).body, "body");
  EXPECT_EQ(url("http://h/ POST < " + file("a.json", "{}\n")).body, "{}\n");
  EXPECT_EQ(url("http://h/ POST < " + file("none", "x\r\n")).body, "x");
}

TEST_F(SiegeUrlFiles, AMissingFileIsNoEmptyBody) {
  const auto parsed = parse_siege_url("http://h/ POST </nonexistent/body", kSettings);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_NE(parsed.error().text.find("/nonexistent/body"), std::string::npos);
  SiegeSettings quirks;
  quirks.quirks = true;
  EXPECT_EQ(url("http://h/ POST </nonexistent/body", quirks).body, "");
}

TEST(SiegeUrlList, LinesCommentsVariables) {
  const auto urls = list(
      "# a comment\n"
      "\n"
      "HOST=127.0.0.1:8099  # of the test\r\n"
      "  http://$(HOST)/a\n"
      "http://${HOST}/trailing # comment\n"
      "$HOST/c\n"
      "plain.example # comment\n"
      "  # indented\n"
      "q=1\n"
      "http://$(HOST)/p?x=$q POST a=$q\n"
      "http://h/\\$10.00\n");
  ASSERT_EQ(urls.size(), 6U);
  EXPECT_EQ(urls[0].url.target, "/a");
  EXPECT_EQ(urls[0].url.port, 8099);
  EXPECT_EQ(urls[1].url.target, "/trailing%20") << "a fragment, as siege sees it";
  EXPECT_EQ(urls[2].url.target, "/c");
  EXPECT_EQ(urls[3].url.host, "plain.example");
  EXPECT_EQ(urls[4].url.target, "/p?x=1");
  EXPECT_EQ(urls[4].body, "a=1");
  EXPECT_EQ(urls[5].url.target, "/$10.00");
}

TEST(SiegeUrlList, ErrorsNameTheLine) {
  const auto parsed = parse_url_list("http://a/\n\nhttp://:x/\n", "urls.txt", kSettings);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_TRUE(parsed.error().text.starts_with("urls.txt line 3: ")) << parsed.error().text;
}

}  // namespace
}  // namespace carronade::dialects::siege
