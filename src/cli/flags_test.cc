#include "cli/flags.h"

#include <gtest/gtest.h>

#include "cli/flag_docs.h"
#include "cli/flag_setters.h"

namespace carronade::cli {
namespace {

struct Options {
  std::optional<int64_t> connections;
  std::optional<int64_t> duration_ns;
  std::optional<std::string> body;
  std::vector<std::string> headers;
  std::vector<std::string> warmup;
  std::vector<std::string> ca;
  bool latency = false;
  bool json = false;
  bool progress = true;
};

FlagTable load_rows(Options& o) {
  return {
      {.name = "connections",
       .letter = 'c',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Load",
       .doc = "connections | at once",
       .default_text = "10",
       .compat = "better: takes 1k | 1M",
       .set = set_count(o.connections)},
      {.name = "duration",
       .letter = 'd',
       .kind = ArgKind::kValue,
       .hint = "TIME",
       .section = "Load",
       .doc = "how long",
       .compat = "same",
       .set = set_duration(o.duration_ns, 1'000'000'000)},
      {.name = "body",
       .letter = 'b',
       .kind = ArgKind::kValue,
       .hint = "TEXT",
       .section = "Request",
       .doc = "the body",
       .set = set_text(o.body)},
      {.name = "headers",
       .aliases = {"header"},
       .letter = 'H',
       .kind = ArgKind::kValue,
       .hint = "K=V",
       .section = "Request",
       .doc = "a header",
       .repeatable = true,
       .set = add_text(o.headers)},
      {.name = "warmup",
       .letter = 'W',
       .kind = ArgKind::kWords,
       .section = "Load",
       .doc = "warm-up",
       .set = set_words(o.warmup)},
      {.name = "ca",

       .kind = ArgKind::kWords,
       .hint = "FILE",
       .section = "TLS",
       .doc = "authorities",
       .repeatable = true,
       .set = add_words(o.ca)},
  };
}

FlagTable report_rows(Options& o) {
  return {
      {.name = "renderLatencyTable",
       .aliases = {"latency"},
       .letter = 'l',
       .kind = ArgKind::kSwitch,
       .section = "Report",
       .doc = "all latency data",
       .set = set_switch(o.latency)},
      {.name = "json",
       .letter = 'j',
       .kind = ArgKind::kSwitch,
       .section = "Report",
       .doc = "JSON",
       .set = set_switch(o.json)},
      {.name = "progress",

       .kind = ArgKind::kSwitch,
       .section = "Report",
       .doc = "no progress",
       .default_text = "on",
       .set = set_switch(o.progress)},
      {.name = "har",

       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Request",
       .doc = "from a HAR file",
       .compat = "not yet",
       .supported = false,
       .set = nullptr},
  };
}

FlagTable make_table(Options& o) {
  FlagTable table = load_rows(o);
  for (Flag& row : report_rows(o)) table.push_back(std::move(row));
  return table;
}

struct Outcome {
  Options options;
  Operands operands;
  std::string error;
};

Outcome parse(std::vector<std::string> args) {
  Outcome outcome;
  Expected<Operands> parsed = parse_minimist(make_table(outcome.options), args);
  if (parsed) {
    outcome.operands = *parsed;
  } else {
    outcome.error = parsed.error().text;
  }
  return outcome;
}

TEST(Flags, EverySpellingOfAValue) {
  const std::vector<std::vector<std::string>> spellings = {
      {"-c", "100"}, {"-c100"}, {"-c=100"}, {"--connections", "100"}, {"--connections=100"}};
  for (const auto& args : spellings) {
    EXPECT_EQ(parse(args).options.connections, 100) << args[0];
  }
}

TEST(Flags, OptionsAfterTheOperandsAndLastOneWins) {
  const Outcome o = parse({"http://a", "-c", "5", "http://b", "-c", "1k", "-d1m30s"});
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.operands.words, (std::vector<std::string>{"http://a", "http://b"}));
  EXPECT_EQ(o.options.connections, 1000);
  EXPECT_EQ(o.options.duration_ns, 90'000'000'000);
}

TEST(Flags, BundledLetters) {
  const Outcome o = parse({"-ljc", "7", "u"});
  EXPECT_TRUE(o.options.latency);
  EXPECT_TRUE(o.options.json);
  EXPECT_EQ(o.options.connections, 7);
  EXPECT_EQ(parse({"-lc=8"}).options.connections, 8);
  EXPECT_EQ(parse({"-lc8"}).options.connections, 8);
}

TEST(Flags, SwitchesAreTurnedOffInEveryWay) {
  EXPECT_FALSE(parse({"--no-progress"}).options.progress);
  EXPECT_FALSE(parse({"--progress=false"}).options.progress);
  EXPECT_FALSE(parse({"--progress", "false", "u"}).options.progress);
  EXPECT_FALSE(parse({"-l", "-l=0"}).options.latency);
  EXPECT_TRUE(parse({"-l", "true"}).options.latency);
  EXPECT_EQ(parse({"-l", "true", "u"}).operands.words, std::vector<std::string>{"u"});
  EXPECT_EQ(parse({"-l", "u"}).operands.words, std::vector<std::string>{"u"});
  // Inside a bundle the word belongs to the last letter.
  EXPECT_TRUE(parse({"-lj", "false"}).options.latency);
  EXPECT_FALSE(parse({"-lj", "false"}).options.json);
}

TEST(Flags, RepeatedFlagsKeepTheirOrder) {
  const Outcome o = parse({"-H", "a=1", "--header", "b:2", "--headers=a=3"});
  EXPECT_EQ(o.options.headers, (std::vector<std::string>{"a=1", "b:2", "a=3"}));
}

TEST(Flags, Groups) {
  const std::vector<std::string> wanted = {"-c", "1", "-d", "3"};
  EXPECT_EQ(parse({"-W", "[", "-c", "1", "-d", "3", "]", "u"}).options.warmup, wanted);
  EXPECT_EQ(parse({"-W", "[-c", "1", "-d", "3]"}).options.warmup, wanted);
  EXPECT_EQ(parse({"--warmup=[ -c 1 -d 3 ]"}).options.warmup, wanted);
  EXPECT_EQ(parse({"--ca", "[", "a b", "c", "]", "--ca", "d"}).options.ca,
            (std::vector<std::string>{"a b", "c", "d"}));
  EXPECT_EQ(parse({"-W", "[", "-c", "1"}).error, "-W: the group has no closing ]");
  EXPECT_EQ(parse({"-W", "[", "]"}).error, "-W: the group is empty");
}

TEST(Flags, DashesEndTheOptions) {
  const Outcome o = parse({"u", "--", "node", "-c", "server.js"});
  EXPECT_EQ(o.operands.words, std::vector<std::string>{"u"});
  EXPECT_EQ(o.operands.after_dashes, (std::vector<std::string>{"node", "-c", "server.js"}));
}

TEST(Flags, ValuesThatLookLikeOptions) {
  EXPECT_EQ(parse({"-b", "-1"}).options.body, "-1");
  EXPECT_EQ(parse({"-b", "-"}).options.body, "-");
  EXPECT_EQ(parse({"-b", ""}).options.body, "");
  EXPECT_EQ(parse({"--body="}).options.body, "");
  EXPECT_EQ(parse({"--body=--x"}).options.body, "--x");
  EXPECT_EQ(parse({"-b=-x=1"}).options.body, "-x=1");
  EXPECT_EQ(parse({"-b", "-x"}).error,
            "-b needs a value (TEXT), found -x; if that is the value, write -b=-x");
}

TEST(Flags, JsonBodiesAreNotGroups) {
  EXPECT_EQ(parse({"-b", "[1]"}).options.body, "[1]");
  EXPECT_EQ(parse({"-b", "[{\"a\":1}]"}).options.body, "[{\"a\":1}]");
}

TEST(Flags, UnknownOptionsNameTheNearest) {
  EXPECT_EQ(parse({"--conections", "5"}).error,
            "unknown option --conections; did you mean --connections?");
  EXPECT_EQ(parse({"--no-progres"}).error,
            "unknown option --no-progres; did you mean --no-progress?");
  EXPECT_EQ(parse({"--zzzzzzzz=1"}).error, "unknown option --zzzzzzzz");
  EXPECT_EQ(parse({"-latency"}).error, "unknown option -latency; did you mean --latency?");
  EXPECT_EQ(parse({"-lz"}).error, "unknown option -z (in -lz)");
  EXPECT_EQ(parse({"-L"}).error, "unknown option -L; did you mean -l?");
}

TEST(Flags, MissingAndBadValues) {
  EXPECT_EQ(parse({"-c"}).error, "-c needs a value (N)");
  EXPECT_TRUE(parse({"-c", "many"}).error.starts_with("-c: ")) << parse({"-c", "many"}).error;
  EXPECT_EQ(parse({"--json=maybe"}).error,
            "--json is a switch: \"maybe\" is neither true nor false");
  EXPECT_EQ(parse({"--no-body"}).error,
            "--no-body: only a switch without a value can be turned off so");
  EXPECT_EQ(parse({"--har", "f"}).error, "--har is not supported yet");
}

TEST(FlagDocs, HelpShowsSectionsDefaultsAndTheUsefulForm) {
  Options options;
  const std::string help = help_text(
      make_table(options),
      {.program = "tool", .version = "1", .summary = "s", .usage = {"tool [options] URL"}});
  EXPECT_TRUE(help.starts_with("Usage: tool [options] URL\n")) << help;
  EXPECT_NE(help.find("Load:\n  -c, --connections N "), std::string::npos) << help;
  EXPECT_NE(help.find("(default 10)"), std::string::npos) << help;
  EXPECT_NE(help.find("--no-progress"), std::string::npos) << help;
  EXPECT_EQ(help.find("--har"), std::string::npos) << help;
}

TEST(FlagDocs, CompatTableEscapesBarsAndSplitsTheStanding) {
  Options options;
  const std::string table = compat_table(make_table(options));
  EXPECT_NE(table.find("| `-c, --connections` | `N` | better | takes 1k \\| 1M |\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("| `--har` | `FILE` | not yet |  |\n"), std::string::npos) << table;
}

TEST(FlagDocs, ManPageEscapesDashes) {
  Options options;
  const std::string man = man_page(make_table(options), {.program = "tool",
                                                         .version = "1",
                                                         .summary = "fires",
                                                         .usage = {"tool URL"},
                                                         .opening = {".dot first"},
                                                         .closing = {{"Exit status", {"0"}}}});
  EXPECT_TRUE(man.starts_with(".TH TOOL 1 ")) << man;
  EXPECT_NE(man.find("\\fB\\-c, \\-\\-connections\\fR \\fIN\\fR\n"), std::string::npos) << man;
  EXPECT_NE(man.find("\\&.dot first"), std::string::npos) << man;
  EXPECT_NE(man.find(".SH \"EXIT STATUS\"\n"), std::string::npos) << man;
}

}  // namespace
}  // namespace carronade::cli
