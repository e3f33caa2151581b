#include "dialects/gobench/gobench_spec.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/text.h"
#include "cli/go_flags.h"
#include "dialects/gobench/gobench_walk.h"

namespace carronade::dialects::gobench {
namespace {

// A file for as long as a test needs it.
class TestFile {
 public:
  TestFile(const std::string& name, const std::string& text)
      : path_(testing::TempDir() + "gobench_" + name) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TestFile() { std::remove(path_.c_str()); }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

GobenchOptions options_of(const std::vector<std::string>& args) {
  GobenchOptions options;
  const cli::FlagTable table = gobench_flags(options);
  const auto parsed = cli::parse_go_flags(table, args);
  EXPECT_TRUE(parsed.has_value()) << parsed.error().text;
  return options;
}

RunSpec spec_of(const std::vector<std::string>& args) {
  const auto spec = make_gobench_spec(options_of(args), 2);
  if (!spec || !*spec) {
    ADD_FAILURE() << (spec ? "nothing to run" : spec.error().text);
    return {};
  }
  return **spec;
}

std::string error_of(const std::vector<std::string>& args) {
  const auto spec = make_gobench_spec(options_of(args), 2);
  return spec ? "" : spec.error().text;
}

std::string head_of(const std::string& url, const std::vector<std::string>& args, size_t body = 0) {
  const auto parsed = parse_url(url);
  EXPECT_TRUE(parsed.has_value());
  return request_head(*parsed, options_of(args), body);
}

TEST(GobenchSpec, Defaults) {
  const RunSpec spec = spec_of({"-u", "http://h:8080/p?q=1", "-t", "10"});
  EXPECT_EQ(spec.connections, 100U);
  EXPECT_EQ(spec.workers, 2U);
  EXPECT_EQ(spec.duration_ns, 10'000'000'000);
  EXPECT_FALSE(spec.max_connection_requests.has_value());
  EXPECT_EQ(spec.timeout_ns, 5'000'000'000);
  EXPECT_FALSE(spec.tls.verify);
  ASSERT_EQ(spec.targets.size(), 1U);
  EXPECT_EQ(spec.targets[0].request.verbatim,
            "GET /p?q=1 HTTP/1.1\r\nUser-Agent: fasthttp\r\nHost: h:8080\r\n"
            "Connection: keep-alive\r\n\r\n");
  EXPECT_EQ(spec.make_source, nullptr);
}

TEST(GobenchSpec, HeadsAreFasthttps) {
  EXPECT_EQ(head_of("http://h/", {"-k=false", "-auth", "Bearer x"}),
            "GET / HTTP/1.1\r\nUser-Agent: fasthttp\r\nHost: h\r\n"
            "Authorization: Bearer x\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(head_of("http://h:80", {"-auth", "Bearer x", "-d", "f"}, 12),
            "POST / HTTP/1.1\r\nUser-Agent: fasthttp\r\nHost: h:80\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n"
            "Connection: keep-alive\r\nAuthorization: Bearer x\r\n\r\n");
  EXPECT_EQ(head_of("http://me:secret@h/", {}),
            "GET / HTTP/1.1\r\nUser-Agent: fasthttp\r\nHost: h\r\n"
            "Connection: keep-alive\r\nAuthorization: Basic bWU6c2VjcmV0\r\n\r\n");
}

TEST(GobenchSpec, BodyAndItsTimeouts) {
  const TestFile body("body", "{\"a\":\r\n1}");
  const RunSpec spec =
      spec_of({"-u", "http://h/", "-r", "1", "-d", body.path(), "-tw", "300", "-tr", "200"});
  EXPECT_EQ(spec.timeout_ns, 500'000'000);
  EXPECT_TRUE(spec.targets[0].request.verbatim.ends_with("\r\n\r\n{\"a\":\r\n1}"));
  EXPECT_NE(spec.targets[0].request.verbatim.find("Content-Length: 9\r\n"), std::string::npos);
  EXPECT_EQ(spec_of({"-u", "http://h/", "-r", "1", "-tw", "300", "-tr", "200"}).timeout_ns,
            200'000'000);
}

TEST(GobenchSpec, ATimeoutOfZeroIsNone) {
  const RunSpec spec = spec_of({"-u", "http://h/", "-r", "1", "-tr", "0"});
  EXPECT_GT(spec.timeout_ns, base::kLongestNs / 3);
  EXPECT_LE(spec.timeout_ns, base::kLongestNs);
}

TEST(GobenchSpec, RequestsAreForEachClient) {
  EXPECT_EQ(spec_of({"-u", "http://h/", "-r", "10"}).max_connection_requests, 10U);
  const TestFile urls("three", "http://h/1\nhttp://h/2\r\n\nhttp://h/3");
  EXPECT_EQ(spec_of({"-f", urls.path(), "-r", "10"}).max_connection_requests, 10U);
  EXPECT_EQ(spec_of({"-f", urls.path(), "-r", "10", "-quirks"}).max_connection_requests, 12U);
  EXPECT_EQ(spec_of({"-f", urls.path(), "-r", "9", "-quirks"}).max_connection_requests, 9U);
}

// The path of each request in the order of one client.
std::string walk(const RunSpec& spec, int requests, uint32_t connection = 0) {
  if (spec.make_source == nullptr) return "no source";
  const std::unique_ptr<RequestSource> source = spec.make_source(0, 1);
  std::string text;
  for (int i = 0; i < requests; ++i) {
    std::string out;
    if (source->next(connection, out) == NextRequest::kNone) return "none";
    const Url& url = spec.targets[source->target()].url;
    text += url.host + out.substr(4, out.find(' ', 4) - 4) + " ";
  }
  return text;
}

TEST(GobenchSpec, ClientsWalkTheListAndThenTheUrl) {
  const TestFile urls("walk", "http://a/1\nhttp://b/2\nhttp://a/3\n");
  const RunSpec spec = spec_of({"-f", urls.path(), "-u", "http://c/4", "-r", "5"});
  EXPECT_EQ(spec.targets.size(), 3U);
  EXPECT_EQ(walk(spec, 5), "a/1 b/2 a/3 c/4 a/1 ");
  EXPECT_EQ(walk(spec, 2, 7), "a/1 b/2 ");
  EXPECT_TRUE(spec.make_source(0, 1)->wants().targets);
}

TEST(GobenchSpec, OneHostIsOneTarget) {
  const TestFile urls("one_host", "http://a/1\nhttp://a/2\n");
  const RunSpec spec = spec_of({"-f", urls.path(), "-r", "5", "-k=false"});
  EXPECT_EQ(spec.targets.size(), 1U);
  const std::unique_ptr<RequestSource> source = spec.make_source(0, 1);
  EXPECT_FALSE(source->wants().targets);
  std::string out;
  EXPECT_EQ(source->next(0, out), NextRequest::kLastOnSocket);
}

TEST(GobenchSpec, NothingAskedIsNothingToRun) {
  for (const auto& args : std::vector<std::vector<std::string>>{
           {"-c", "0", "-t", "1"}, {"-r", "0"}, {"-t", "0"}, {"-r", "-5"}}) {
    std::vector<std::string> all = {"-u", "http://h/"};
    all.insert(all.end(), args.begin(), args.end());
    const auto spec = make_gobench_spec(options_of(all), 1);
    ASSERT_TRUE(spec.has_value());
    EXPECT_FALSE(spec->has_value());
  }
}

TEST(GobenchSpec, Errors) {
  const TestFile bad("bad", "http://h/\n\nftp://h/\n");
  EXPECT_TRUE(error_of({"-f", bad.path(), "-r", "1"}).starts_with(bad.path() + ":3: "));
  const TestFile empty("empty", "\n");
  EXPECT_EQ(error_of({"-f", empty.path(), "-r", "1"}), empty.path() + ": no URL in it");
  EXPECT_NE(error_of({"-f", "/nowhere/list", "-r", "1"}).find("/nowhere/list"), std::string::npos);
  EXPECT_NE(error_of({"-u", "http://h/", "-d", "/nowhere/b", "-r", "1"}).find("/nowhere/b"),
            std::string::npos);
  EXPECT_NE(error_of({"-u", "h:80", "-r", "1"}), "");
  EXPECT_NE(error_of({"-u", "http://h/", "-auth", "a\r\nb", "-r", "1"}), "");
  EXPECT_NE(error_of({"-u", "http://h/", "-t", "9223372036854775807"}), "");
}

TEST(GobenchFlags, MinusOneIsNotGiven) {
  const GobenchOptions options = options_of({"-r", "-1", "-t=-1"});
  EXPECT_FALSE(options.requests.has_value());
  EXPECT_FALSE(options.period_s.has_value());
}

TEST(GobenchFlags, UsageIsSorted) {
  const std::string usage = gobench_usage();
  EXPECT_TRUE(usage.starts_with("Usage of gobench:\n  -auth string\n    \tAuthorization header\n"));
  EXPECT_NE(usage.find("  -c int\n    \tNumber of concurrent clients (default 100)\n"),
            std::string::npos);
  EXPECT_NE(usage.find("  -k\tDo HTTP keep-alive (default true)\n"), std::string::npos);
}

// docs/compat/gobench.md must not lag behind the table.
TEST(GobenchFlags, ThePageNamesEachOne) {
  const auto page = base::read_file("docs/compat/gobench.md");
  ASSERT_TRUE(page.has_value()) << page.error().text;
  GobenchOptions options;
  for (const cli::Flag& flag : gobench_flags(options)) {
    EXPECT_NE(page->find("| `-" + flag.name), std::string::npos) << flag.name;
  }
}

}  // namespace
}  // namespace carronade::dialects::gobench
