#include "dialects/ab/ab_flags.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/text.h"

namespace carronade::dialects::ab {
namespace {

struct Parsed {
  AbOptions options;
  Expected<AbWords> words;
};

Parsed parse(const std::vector<std::string>& args) {
  Parsed parsed{.options = {}, .words = AbWords{}};
  parsed.words = parse_ab(args, parsed.options);
  return parsed;
}

std::string refusal(const std::vector<std::string>& args) {
  const Parsed parsed = parse(args);
  return parsed.words ? "accepted" : parsed.words.error().text;
}

std::string misuse(const std::vector<std::string>& args) {
  const Parsed parsed = parse(args);
  return parsed.words ? parsed.words->misuse : parsed.words.error().text;
}

class AbFlags : public ::testing::Test {
 protected:
  AbFlags() { std::ofstream(path_, std::ios::binary) << body_; }
  ~AbFlags() override { ::unlink(path_.c_str()); }

  const std::string body_ = std::string("{\"a\":1}\r\n\0end", 13);
  const std::string path_ = ::testing::TempDir() + "ab_flags_test_" + std::to_string(::getpid());
};

TEST_F(AbFlags, Defaults) {
  const Parsed parsed = parse({"http://h/"});
  EXPECT_EQ(1U, parsed.options.requests);
  EXPECT_EQ(1U, parsed.options.concurrency);
  EXPECT_EQ(1U, parsed.options.workers);
  EXPECT_EQ(30, parsed.options.timeout_s);
  EXPECT_FALSE(parsed.options.time_limit_s.has_value());
  EXPECT_EQ("bgcolor=white", parsed.options.cell_attributes);
  EXPECT_EQ(std::vector<std::string>{"http://h/"}, parsed.words->operands);
}

TEST_F(AbFlags, GluedSeparateAndBundled) {
  const Parsed parsed = parse({"-kn100", "-c", "5", "-lrq", "-v2", "http://h/"});
  EXPECT_EQ(100U, parsed.options.requests);
  EXPECT_EQ(5U, parsed.options.concurrency);
  EXPECT_TRUE(parsed.options.keep_alive);
  EXPECT_TRUE(parsed.options.variable_length);
  EXPECT_TRUE(parsed.options.go_on_after_errors);
  EXPECT_FALSE(parsed.options.progress);
  EXPECT_EQ(2, parsed.options.verbosity);
}

TEST_F(AbFlags, OptionsEndAtTheFirstOperand) {
  const Parsed parsed = parse({"http://h/", "-n", "3"});
  EXPECT_EQ(1U, parsed.options.requests);
  EXPECT_EQ(3U, parsed.words->operands.size());
}

TEST_F(AbFlags, DashesEndTheOptions) {
  EXPECT_EQ(std::vector<std::string>{"-n"}, parse({"-k", "--", "-n"}).words->operands);
}

TEST_F(AbFlags, MisuseInAprsWords) {
  EXPECT_EQ("ab: illegal option -- Y", misuse({"-Y", "http://h/"}));
  EXPECT_EQ("ab: option requires an argument -- n", misuse({"-n"}));
}

TEST_F(AbFlags, TimeLimitSetsRequestsWhereItStands) {
  EXPECT_EQ(50'000U, parse({"-n", "5", "-t", "10"}).options.requests);
  EXPECT_EQ(5U, parse({"-t", "10", "-n", "5"}).options.requests);
  EXPECT_EQ(10, parse({"-t10"}).options.time_limit_s);
  EXPECT_FALSE(parse({"-t0"}).options.time_limit_s.has_value());
}

TEST_F(AbFlags, NumbersThatAbWouldMisread) {
  EXPECT_EQ("Invalid number of requests", refusal({"-n", "0"}));
  EXPECT_EQ("Invalid number of requests", refusal({"-n", "-5"}));
  EXPECT_EQ("Invalid number of requests", refusal({"-n", "10k"}));
  EXPECT_EQ("Invalid timelimit", refusal({"-t", "1m"}));
  EXPECT_EQ("Invalid timelimit", refusal({"-t", "9999999999999"}));
  EXPECT_EQ("Invalid timeout: seconds, at least 1", refusal({"-s", "0"}));
  EXPECT_EQ("Invalid window size", refusal({"-b", "64k"}));
  EXPECT_EQ("Invalid number of workers", refusal({"-W", "-1"}));
  EXPECT_EQ("Invalid Concurrency", refusal({"-c", "ten"}));
}

TEST_F(AbFlags, ImpossibleConcurrencyIsLeftToTheUsage) {
  EXPECT_EQ(0U, parse({"-c", "0"}).options.concurrency);
  EXPECT_EQ(0U, parse({"-c", "-1"}).options.concurrency);
  EXPECT_EQ(0U, parse({"-c", "200001"}).options.concurrency);
  EXPECT_EQ(200'000U, parse({"-c", "200000"}).options.concurrency);
}

TEST_F(AbFlags, BodiesAreFilesByteForByte) {
  const Parsed posted = parse({"-p", path_, "-T", "application/json"});
  EXPECT_EQ(body_, posted.options.body);
  EXPECT_EQ("POST", posted.options.method);
  EXPECT_EQ("application/json", posted.options.content_type);
  EXPECT_EQ("PUT", parse({"-u", path_}).options.method);
  EXPECT_EQ("ab: Could not open POST data file (/no/such): No such file or directory",
            refusal({"-p", "/no/such"}));
}

TEST_F(AbFlags, MethodsDoNotMix) {
  EXPECT_EQ("Cannot mix POST with other methods", refusal({"-i", "-p", path_}));
  EXPECT_EQ("Cannot mix PUT with other methods", refusal({"-p", path_, "-u", path_}));
  EXPECT_EQ("Cannot mix HEAD with other methods", refusal({"-p", path_, "-i"}));
  EXPECT_EQ("Cannot mix POST with other methods", refusal({"-m", "PATCH", "-p", path_}));
  EXPECT_EQ("PATCH", parse({"-p", path_, "-m", "PATCH"}).options.method);
  EXPECT_EQ("Invalid method name", refusal({"-m", "A B"}));
}

TEST_F(AbFlags, LinesAndCredentials) {
  const Parsed parsed = parse({"-A", "  user:pass", "-P", "p:q", "-H", "A: 1", "-H", "A: 2"});
  const std::vector<std::string> lines{"Authorization: Basic dXNlcjpwYXNz",
                                       "Proxy-Authorization: Basic cDpx"};
  EXPECT_EQ(lines, parsed.options.authorization);
  EXPECT_EQ((std::vector<std::string>{"A: 1", "A: 2"}), parsed.options.headers);
  EXPECT_EQ("Authentication credentials too long", refusal({"-A", std::string(2000, 'x')}));
}

TEST_F(AbFlags, TlsVersions) {
  EXPECT_EQ(0, parse({"-f", "ALL"}).options.tls_version);
  EXPECT_EQ(0x0301, parse({"-f", "TLS1"}).options.tls_version);
  EXPECT_EQ(0x0302, parse({"-f", "tls1.1"}).options.tls_version);
  EXPECT_EQ(0x0303, parse({"-f", "TLS1.2"}).options.tls_version);
  EXPECT_EQ(0x0304, parse({"-f", "TLS1.3"}).options.tls_version);
  EXPECT_NE("accepted", refusal({"-f", "SSL3"}));
}

TEST_F(AbFlags, HtmlAttributesImplyHtml) {
  for (const std::string letter : {"-x", "-y", "-z"}) {
    EXPECT_TRUE(parse({letter, "border=1"}).options.html) << letter;
  }
}

TEST_F(AbFlags, AddressesInAList) {
  const std::vector<std::string> both{"127.0.0.2", "127.0.0.3", "127.0.0.4"};
  EXPECT_EQ(both, parse({"-B", "127.0.0.2,127.0.0.3", "-o", "127.0.0.4"}).options.local_addresses);
}

TEST_F(AbFlags, QuirksComeFirst) {
  EXPECT_TRUE(parse({"--quirks", "-k", "http://h/"}).options.quirks);
  EXPECT_FALSE(parse({"-k", "http://h/"}).options.quirks);
}

TEST_F(AbFlags, WhatTrunkHasAndThisHasNot) {
  EXPECT_NE(std::string::npos, refusal({"-R", "10"}).find("not supported"));
  EXPECT_NE(std::string::npos, refusal({"-D"}).find("not supported"));
}

TEST_F(AbFlags, UsageNamesEveryOption) {
  AbOptions unused;
  const std::string usage = ab_usage();
  EXPECT_TRUE(usage.starts_with("Usage: ab [options] [http[s]://]hostname[:port]/path\n"));
  for (const cli::Flag& flag : ab_flags(unused)) {
    if (flag.section.empty()) continue;
    const std::string name = flag.letter == 0 ? "--" + flag.name : std::string("-") + flag.letter;
    EXPECT_NE(std::string::npos, usage.find("\n    " + name + " ")) << name;
  }
}

TEST_F(AbFlags, TheCompatibilityPageNamesEveryOption) {
  const Expected<std::string> page = base::read_file("docs/compat/ab.md");
  ASSERT_TRUE(page.has_value()) << page.error().text;
  AbOptions unused;
  for (const cli::Flag& flag : ab_flags(unused)) {
    const std::string name = flag.letter == 0 ? "--" + flag.name : std::string("-") + flag.letter;
    EXPECT_NE(std::string::npos, page->find("`" + name)) << name << " is not in docs/compat/ab.md";
  }
}

}  // namespace
}  // namespace carronade::dialects::ab
