#include "cli/getopt_flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carronade::cli {
namespace {

using Words = std::vector<std::string>;

// What the setters heard, in order: "connections=1", "latency".
struct Heard {
  Words calls;

  FlagTable table() {
    const auto row = [this](const std::string& name, char letter, ArgKind kind) {
      const FlagSetter set = [this, name, kind](const FlagValue& value) -> Expected<void> {
        if (value.text == "bad") return unexpected("no such " + name);
        calls.push_back(kind == ArgKind::kSwitch ? name : name + "=" + value.text);
        return {};
      };
      return Flag{.name = name, .letter = letter, .kind = kind, .set = set};
    };
    FlagTable rows = {
        row("connections", 'c', ArgKind::kValue), row("threads", 't', ArgKind::kValue),
        row("timeout", 'T', ArgKind::kValue),     row("latency", 'L', ArgKind::kSwitch),
        row("log", 'l', ArgKind::kOptional),      row("", 'v', ArgKind::kSwitch),
    };
    rows[3].aliases = {"latencies"};
    return rows;
  }

  // The error's text, else the operands joined by spaces, those behind "--" after " -- ".
  std::string parse(const Words& args, const GetoptRules& rules) {
    const FlagTable rows = table();
    const Expected<Operands> operands = parse_getopt(rows, args, rules);
    if (!operands) return operands.error().text;
    std::string text;
    for (const std::string& word : operands->words) text += (text.empty() ? "" : " ") + word;
    for (const std::string& word : operands->after_dashes) text += " -- " + word;
    return text;
  }
};

GetoptRules gnu() { return {.program = "wrk"}; }
GetoptRules apr() { return {.permute = false, .long_options = false, .program = "ab"}; }

Words calls(const Words& args, const GetoptRules& rules = gnu()) {
  Heard heard;
  heard.parse(args, rules);
  return heard.calls;
}

std::string outcome(const Words& args, const GetoptRules& rules = gnu()) {
  return Heard().parse(args, rules);
}

TEST(Getopt, TakesEverySpelling) {
  EXPECT_EQ(calls({"-c", "1", "-c2", "--connections=3", "--connections", "4"}),
            (Words{"connections=1", "connections=2", "connections=3", "connections=4"}));
  EXPECT_EQ(calls({"-Lvc5", "--latency"}), (Words{"latency", "", "connections=5", "latency"}));
  EXPECT_EQ(calls({"-c", "-1", "-c", "--", "-c=7"}),
            (Words{"connections=-1", "connections=--", "connections==7"}));
}

TEST(Getopt, TakesAbbreviations) {
  EXPECT_EQ(calls({"--conn=1", "--th", "2", "--lat"}),
            (Words{"connections=1", "threads=2", "latency"}));
  EXPECT_EQ(outcome({"--t", "2"}),
            "wrk: option '--t' is ambiguous; possibilities: '--threads' '--timeout'");
  EXPECT_EQ(outcome({"--t=2"}),
            "wrk: option '--t=2' is ambiguous; possibilities: '--threads' '--timeout'");
}

TEST(Getopt, TakesAnOptionalValueOnlyWhenItIsGlued) {
  EXPECT_EQ(calls({"-lfile", "-l", "file", "--log", "file", "--log=file", "--log="}),
            (Words{"log=file", "log=", "log=", "log=file", "log="}));
}

TEST(Getopt, PermutesAndStopsAtDashes) {
  EXPECT_EQ(outcome({"a", "-c", "1", "b", "-", "--", "-c", "x"}), "a b - -- -c -- x");
  EXPECT_EQ(outcome({"a", "-c", "1"}, apr()), "a -c 1");
  EXPECT_EQ(outcome({"-c1", "-", "-c", "--"}, apr()), "- -c --");
}

TEST(Getopt, ComplainsInTheWordsOfGlibc) {
  EXPECT_EQ(outcome({"-x"}), "wrk: invalid option -- 'x'");
  EXPECT_EQ(outcome({"-Lx"}), "wrk: invalid option -- 'x'");
  EXPECT_EQ(outcome({"-:"}), "wrk: invalid option -- ':'");
  EXPECT_EQ(outcome({"-c"}), "wrk: option requires an argument -- 'c'");
  EXPECT_EQ(outcome({"--foo"}), "wrk: unrecognized option '--foo'");
  EXPECT_EQ(outcome({"--foo=1"}), "wrk: unrecognized option '--foo=1'");
  EXPECT_EQ(outcome({"--conn"}), "wrk: option '--connections' requires an argument");
  EXPECT_EQ(outcome({"--latency=1"}), "wrk: option '--latency' doesn't allow an argument");
}

TEST(Getopt, ComplainsInTheWordsOfApr) {
  EXPECT_EQ(outcome({"-x"}, apr()), "ab: illegal option -- x");
  EXPECT_EQ(outcome({"-c"}, apr()), "ab: option requires an argument -- c");
  EXPECT_EQ(outcome({"--help", "url"}, apr()), " -- url");
}

TEST(Getopt, ASetterSpeaksForItself) { EXPECT_EQ(outcome({"-c", "bad"}), "no such connections"); }

TEST(Getopt, GoesOnWhereSomebodyListens) {
  Heard heard;
  Words told;
  GetoptRules rules{.program = "siege"};
  rules.on_unknown = [&told](const std::string& message) { told.push_back(message); };
  EXPECT_EQ(heard.parse({"-xLy", "--foo", "url", "--t", "-c"}, rules), "url");
  EXPECT_EQ(heard.calls, Words{"latency"});
  EXPECT_EQ(told, (Words{"siege: invalid option -- 'x'", "siege: invalid option -- 'y'",
                         "siege: unrecognized option '--foo'",
                         "siege: option '--t' is ambiguous; possibilities: '--threads' '--timeout'",
                         "siege: option requires an argument -- 'c'"}));
}

}  // namespace
}  // namespace carronade::cli
