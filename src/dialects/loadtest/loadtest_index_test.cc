#include "dialects/loadtest/loadtest_index.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "dialects/loadtest/loadtest_source.h"

namespace carronade::dialects::loadtest {
namespace {

using Parts = std::vector<std::string>;

Parts cut(const std::string& pattern, const std::string& text) {
  const auto parts = cut_at_matches(pattern, text);
  EXPECT_TRUE(parts.has_value()) << parts.error().text;
  return parts ? *parts : Parts();
}

TEST(CutAtMatches, LiteralsAndPatterns) {
  EXPECT_EQ((Parts{"/a/", "/b"}), cut("index", "/a/index/b"));
  EXPECT_EQ((Parts{"/a"}), cut("index", "/a"));
  EXPECT_EQ((Parts{"", "-", ""}), cut("[a-c]+", "abc-cab"));
  EXPECT_EQ((Parts{"/u/", "?x=", ""}), cut("\\d+", "/u/12?x=345"));
  EXPECT_EQ((Parts{"/{", "}"}), cut("(?<=\\{)id(?=\\})", "/{id}"));
  EXPECT_EQ((Parts{"/", ""}), cut("{id}", "/{id}"));
  EXPECT_EQ((Parts{"/", "/"}), cut("\\u0041", "/A/"));
}

TEST(CutAtMatches, EmptyMatchesAsInJavaScript) {
  // "abc".replace(/x*/g, "1") is "1a1b1c1"
  EXPECT_EQ((Parts{"", "a", "b", "c", ""}), cut("x*", "abc"));
  // "axb".replace(/x*/g, "1") is "1a11b1": an empty match may follow another one
  EXPECT_EQ((Parts{"", "a", "", "b", ""}), cut("x*", "axb"));
  EXPECT_EQ((Parts{"", "ü", ""}), cut("x*", "ü"));
}

TEST(CutAtMatches, TextThatIsNoUtf8) {
  EXPECT_EQ((Parts{"\xff", "\xfe"}), cut("id", "\xffid\xfe"));
}

TEST(CutAtMatches, WrongPatterns) {
  const auto parts = cut_at_matches("(a", "b");
  ASSERT_FALSE(parts.has_value());
  EXPECT_TRUE(parts.error().text.starts_with("--index: missing closing parenthesis"))
      << parts.error().text;
}

TEST(CutAtMatches, APatternThatWouldTakeForEver) {
  EXPECT_FALSE(cut_at_matches("(a|aa)+[bc]", std::string(60, 'a')).has_value());
}

Target target(const std::string& url, const std::string& body = "") {
  Target target{.url = *parse_url(url, Schemes::kHttpAndWebSocket), .request = {}};
  target.request.headers = {{"host", "ID"}, {"Connection", "close"}};
  target.request.body = body;
  if (!body.empty()) target.request.method = "POST";
  return target;
}

std::string written(const IndexText& text, uint64_t number) {
  std::string out;
  text.append(number, out);
  return out;
}

TEST(IndexText, PathAndBodyAndNothingElse) {
  const auto text = make_index_text("ID", target("http://h/ID/ID?x=ID", "{\"n\":\"ID\"}"), {});
  ASSERT_TRUE(text.has_value()) << text.error().text;
  EXPECT_TRUE(text->last_on_socket);
  EXPECT_EQ(
      "POST /7/7?x=7 HTTP/1.1\r\nhost: ID\r\nConnection: close\r\nContent-Length: 9\r\n\r\n"
      "{\"n\":\"7\"}",
      written(*text, 7));
  EXPECT_EQ(
      "POST /1234/1234?x=1234 HTTP/1.1\r\nhost: ID\r\nConnection: close\r\n"
      "Content-Length: 12\r\n\r\n{\"n\":\"1234\"}",
      written(*text, 1234));
}

TEST(IndexText, PathAlone) {
  const auto text = make_index_text("ID", target("http://h/ID", "fixed"), {});
  EXPECT_EQ("POST /3 HTTP/1.1\r\nhost: ID\r\nConnection: close\r\nContent-Length: 5\r\n\r\nfixed",
            written(*text, 3));
}

TEST(IndexText, NothingToReplace) {
  const auto text = make_index_text("ID", target("http://h/a"), {});
  EXPECT_EQ("GET /a HTTP/1.1\r\nhost: ID\r\nConnection: close\r\n\r\n", written(*text, 3));
}

TEST(IndexText, ThroughAProxyTheHostIsNoPartOfThePath) {
  const ProxySpec proxy{.url = *parse_url("http://proxy:3128"), .headers = {}};
  const auto text = make_index_text("h", target("http://h/h"), proxy);
  ASSERT_TRUE(text.has_value()) << text.error().text;
  EXPECT_TRUE(written(*text, 5).starts_with("GET http://h/5 HTTP/1.1\r\n")) << written(*text, 5);
}

TEST(LoadtestSourceTest, OneCounterForAllSources) {
  const auto text = make_index_text("ID", target("http://h/ID"), {});
  std::atomic<uint64_t> last{0};
  LoadtestSource one(nullptr, &*text, last, 1);
  LoadtestSource other(nullptr, &*text, last, 2);
  std::string out;
  EXPECT_EQ(NextRequest::kLastOnSocket, one.next(0, out));
  EXPECT_TRUE(out.starts_with("GET /1 ")) << out;
  out.clear();
  (void)other.next(9, out);
  EXPECT_TRUE(out.starts_with("GET /2 ")) << out;
}

TEST(LoadtestSourceTest, MessagesAreMaskedFrames) {
  const auto text = make_index_text("ID", target("ws://h/ID", "{\"n\":\"ID\"}"), {});
  std::atomic<uint64_t> last{41};
  LoadtestSource source(nullptr, &*text, last, 1);
  std::string out;
  EXPECT_EQ(NextRequest::kGiven, source.next(0, out));
  ASSERT_EQ(2U + 4U + 10U, out.size());
  std::string message = out.substr(6);
  for (size_t i = 0; i < message.size(); ++i) message[i] ^= out[2 + i % 4];
  EXPECT_EQ("{\"n\":\"42\"}", message);
  std::string another;
  (void)source.next(0, another);
  EXPECT_NE(out.substr(2, 4), another.substr(2, 4));
}

TEST(LoadtestSourceTest, CountsForTheProgressLine) {
  LoadtestTally tally;
  std::atomic<uint64_t> last{0};
  LoadtestSource source(&tally, nullptr, last, 1);
  EXPECT_FALSE(source.wants().requests);
  EXPECT_TRUE(source.wants().responses);
  (void)source.on_response({.status = 200, .latency_ns = 10});
  (void)source.on_response({.status = 404, .latency_ns = 20});
  source.on_loss({.kind = ErrorKind::kConnectRefused, .requests = 0});
  source.on_loss({.requests = 1});
  source.on_loss({.kind = ErrorKind::kExcessBytes, .requests = 0});
  LoadtestCounts counts;
  tally.add_to(counts);
  EXPECT_EQ(2U, counts.answered);
  EXPECT_EQ(2U, counts.lost);
  EXPECT_EQ(3U, counts.errors);
  EXPECT_EQ(30, counts.latency_ns);
  EXPECT_EQ(4U, counts.requests());
}

}  // namespace
}  // namespace carronade::dialects::loadtest
