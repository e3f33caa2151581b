#include "dialects/wrk/wrk_flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"

namespace carronade::dialects::wrk {
namespace {

using Words = std::vector<std::string>;

// The error's text, "ok" without one.
std::string read(WrkOptions& options, const Words& words) {
  const auto done = read_command_line(options, words);
  return done ? "ok" : done.error().text;
}
std::string read(const Words& words) {
  WrkOptions options;
  return read(options, words);
}

TEST(WrkFlags, Defaults) {
  WrkOptions options;
  EXPECT_EQ(read(options, {"http://h/"}), "ok");
  EXPECT_EQ(options.connections, 10U);
  EXPECT_EQ(options.threads, 2U);
  EXPECT_EQ(options.duration_s, 10U);
  EXPECT_EQ(options.timeout_s, 2U);
  EXPECT_FALSE(options.latency);
}

TEST(WrkFlags, EachOption) {
  WrkOptions options;
  EXPECT_EQ(read(options, {"-c1k", "-d", "2m", "http://h/", "-t=4"}),
            "wrk: invalid value \"=4\" for -t: a whole number is wanted, as 12, 1k or 2M");
  options = {};
  EXPECT_EQ(read(options, {"-c1k", "-d", "2m", "http://h/", "-t4", "-T", "3s", "-L", "-sx.lua",
                           "-H", "A: b", "--header=C: d", "--quirks"}),
            "ok");
  EXPECT_EQ(options.connections, 1'000U);
  EXPECT_EQ(options.duration_s, 120U);
  EXPECT_EQ(options.threads, 4U);
  EXPECT_EQ(options.timeout_s, 3U);
  EXPECT_TRUE(options.latency);
  EXPECT_TRUE(options.quirks);
  EXPECT_EQ(options.script, "x.lua");
  EXPECT_EQ(options.headers, (Words{"A: b", "C: d"}));
}

TEST(WrkFlags, LongNamesAndAbbreviations) {
  WrkOptions options;
  EXPECT_EQ(read(options, {"--conn", "5", "--dur=1h", "--lat", "--time", "1", "--thr", "5", "U"}),
            "ok");
  EXPECT_EQ(options.connections, 5U);
  EXPECT_EQ(options.duration_s, 3'600U);
  EXPECT_EQ(read({"--t", "1", "U"}),
            "wrk: option '--t' is ambiguous; possibilities: '--threads' "
            "'--timeout'");
}

TEST(WrkFlags, WordsForTheScript) {
  WrkOptions options;
  EXPECT_EQ(read(options, {"-c", "3", "U", "a", "--", "b", "-d"}), "ok");
  EXPECT_EQ(options.args, (Words{"U", "a", "b", "-d"}));
}

TEST(WrkFlags, WhatEndsWithTheUsageAlone) {
  EXPECT_EQ(read({}), "");
  EXPECT_EQ(read({"--help"}), "");
  EXPECT_EQ(read({"--help", "-t0"}), "");
  EXPECT_EQ(read({"-r", "U"}), "");
}

TEST(WrkFlags, WrongValuesAreNamed) {
  const std::string time = ": a time is wanted, as 12, 30s, 2m or 1h";
  EXPECT_EQ(read({"-d", "1x", "U"}), "wrk: invalid value \"1x\" for -d" + time);
  EXPECT_EQ(read({"--duration=1.5", "U"}), "wrk: invalid value \"1.5\" for -d" + time);
  EXPECT_EQ(read({"-T", "", "U"}), "wrk: invalid value \"\" for -T" + time);
  EXPECT_EQ(read({"-c", "abc", "U"}),
            "wrk: invalid value \"abc\" for -c: a whole number is wanted, as 12, 1k or 2M");
  for (const std::string flag : {"-t", "-d", "-T"}) {
    EXPECT_EQ(read({flag + "0", "U"}),
              "wrk: invalid value \"0\" for " + flag + ": at least 1 is wanted");
  }
  WrkOptions wrk2{.wrk2 = true};
  EXPECT_EQ(read(wrk2, {"-R", "fast", "U"}),
            "wrk2: invalid value \"fast\" for -R: a whole number is wanted, as 12, 1k or 2M");
}

TEST(WrkFlags, WhatIsSaid) {
  EXPECT_EQ(read({"-t4", "-c2", "U"}), "number of connections must be >= threads");
  EXPECT_EQ(read({"-c0", "U"}), "number of connections must be >= threads");
  EXPECT_EQ(read({"-h"}), "wrk: invalid option -- 'h'");
  EXPECT_EQ(read({"-R5", "U"}), "wrk: invalid option -- 'R'");
  EXPECT_EQ(read({"-d"}), "wrk: option requires an argument -- 'd'");
  EXPECT_EQ(read({"-c", "2M", "U"}), "at most 1000000 connections and 1024 threads");
  EXPECT_EQ(read({"-d", "99999999999", "U"}), "at most 100000000 seconds");
}

TEST(WrkFlags, Wrk2NeedsItsRate) {
  WrkOptions options{.wrk2 = true};
  EXPECT_EQ(read(options, {"U"}), "Throughput MUST be specified with the --rate or -R option");
  options = {.wrk2 = true};
  EXPECT_EQ(read(options, {"-R", "2k", "-U", "-B", "U"}), "ok");
  EXPECT_EQ(options.rate, 2'000U);
  EXPECT_TRUE(options.service_time);
  EXPECT_TRUE(options.batch_latency);
}

// The page has a row for each option, of both tools.
TEST(WrkFlags, CompatibilityPageNamesEachOption) {
  const auto page = base::read_file("docs/compat/wrk.md");
  ASSERT_TRUE(page) << page.error().text;
  WrkOptions options{.wrk2 = true};
  for (const cli::Flag& flag : wrk_flags(options)) {
    if (!flag.name.empty()) {
      EXPECT_NE(page->find("`--" + flag.name + "`"), std::string::npos) << flag.name;
    }
    if (flag.letter != 0) {
      EXPECT_NE(page->find(std::string("`-") + flag.letter + "`"), std::string::npos)
          << flag.letter;
    }
  }
}

TEST(WrkFlags, UsageNamesEachOption) {
  EXPECT_NE(wrk_usage(false).find("    -c, --connections   <N>  Connections"), std::string::npos)
      << wrk_usage(false);
  EXPECT_EQ(wrk_usage(false).find("--rate"), std::string::npos);
  EXPECT_NE(wrk_usage(true).find("-R, --rate"), std::string::npos);
}

}  // namespace
}  // namespace carronade::dialects::wrk
