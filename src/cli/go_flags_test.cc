#include "cli/go_flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/flag_setters.h"

namespace carronade::cli {
namespace {

struct Options {
  int64_t clients = 100;
  std::string url;
  bool keep_alive = true;
  bool lazy = false;
  std::string error;
  std::vector<std::string> words;
};

FlagTable rows(Options& o) {
  return {
      {.name = "u",
       .kind = ArgKind::kValue,
       .hint = "string",
       .doc = "URL",
       .set = set_text(o.url)},
      {.name = "c",
       .kind = ArgKind::kValue,
       .hint = "int",
       .doc = "Number of concurrent clients",
       .default_text = "100",
       .set = set_go_int("c", o.clients)},
      {.name = "k",
       .doc = "Do HTTP keep-alive",
       .default_text = "true",
       .set = set_switch(o.keep_alive)},
      {.name = "lazy", .doc = "Read targets lazily", .set = set_switch(o.lazy)},
      {.name = "hidden", .set = set_switch(o.lazy)},
  };
}

Options parse(const std::vector<std::string>& args) {
  Options options;
  const FlagTable table = rows(options);
  Expected<Operands> operands = parse_go_flags(table, args);
  if (!operands) {
    options.error = operands.error().text;
  } else {
    options.words = operands->words;
  }
  return options;
}

TEST(GoFlags, TakesEverySpelling) {
  EXPECT_EQ(parse({"-c", "7"}).clients, 7);
  EXPECT_EQ(parse({"-c=7"}).clients, 7);
  EXPECT_EQ(parse({"--c", "7"}).clients, 7);
  EXPECT_EQ(parse({"--c=7"}).clients, 7);
  EXPECT_EQ(parse({"-u=a=b"}).url, "a=b");
  EXPECT_EQ(parse({"-u="}).url, "");
  EXPECT_EQ(parse({"-u", "-k"}).url, "-k");
  EXPECT_EQ(parse({"-u", "--"}).url, "--");
}

TEST(GoFlags, SwitchesTakeAValueOnlyBehindAnEqualsSign) {
  EXPECT_FALSE(parse({"-k=false"}).keep_alive);
  EXPECT_FALSE(parse({"-k=F"}).keep_alive);
  EXPECT_TRUE(parse({"-k=T"}).keep_alive);
  const Options apart = parse({"-lazy", "false", "-k=0"});
  EXPECT_TRUE(apart.lazy);
  EXPECT_TRUE(apart.keep_alive);
  EXPECT_EQ(apart.words, (std::vector<std::string>{"false", "-k=0"}));
  EXPECT_EQ(parse({"-k=yes"}).error, "invalid boolean value \"yes\" for -k: parse error");
}

TEST(GoFlags, EndAtTheFirstWordThatIsNone) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(parse({"-lazy", "file", "-c", "1"}).words, (Words{"file", "-c", "1"}));
  EXPECT_EQ(parse({"-", "-c", "1"}).words, (Words{"-", "-c", "1"}));
  EXPECT_EQ(parse({"--", "-c", "1"}).words, (Words{"-c", "1"}));
  EXPECT_EQ(parse({"", "-c"}).words, (Words{"", "-c"}));
}

TEST(GoFlags, ComplainInGosWords) {
  EXPECT_EQ(parse({"-x"}).error, "flag provided but not defined: -x");
  EXPECT_EQ(parse({"--nope=1"}).error, "flag provided but not defined: -nope");
  EXPECT_EQ(parse({"-c"}).error, "flag needs an argument: -c");
  EXPECT_EQ(parse({"---c"}).error, "bad flag syntax: ---c");
  EXPECT_EQ(parse({"-=c"}).error, "bad flag syntax: -=c");
  EXPECT_EQ(parse({"-c", "x"}).error, "invalid value \"x\" for flag -c: parse error");
  EXPECT_EQ(parse({"-c", "1.5"}).error, "invalid value \"1.5\" for flag -c: parse error");
}

TEST(GoFlags, NumbersAreGos) {
  EXPECT_EQ(parse({"-c", "-1"}).clients, -1);
  EXPECT_EQ(parse({"-c", "+1"}).clients, 1);
  EXPECT_EQ(parse({"-c", "0x1F"}).clients, 31);
  EXPECT_EQ(parse({"-c", "0b101"}).clients, 5);
  EXPECT_EQ(parse({"-c", "0o17"}).clients, 15);
  EXPECT_EQ(parse({"-c", "017"}).clients, 15);
  EXPECT_EQ(parse({"-c", "0"}).clients, 0);
  EXPECT_EQ(parse({"-c", "1_000"}).clients, 1000);
  EXPECT_EQ(parse({"-c", "0x_f"}).clients, 15);
  EXPECT_EQ(parse({"-c", "-9223372036854775808"}).clients, INT64_MIN);
  const std::string large = "invalid value \"9223372036854775808\" for flag -c: value out of range";
  EXPECT_EQ(parse({"-c", "9223372036854775808"}).error, large);
  for (const char* bad : {"", "-", "--1", "_1", "1_", "1__0", "08", "0x", " 1", "1 "}) {
    EXPECT_NE(parse({"-c", bad}).error, "") << bad;
  }
}

TEST(GoFlags, QuoteAsGoDoes) {
  EXPECT_EQ(go_quoted("a\"b\\c\n"), "\"a\\\"b\\\\c\\n\"");
  EXPECT_EQ(go_quoted("\x01"), "\"\\x01\"");
}

TEST(GoFlags, PrintTheirDefaults) {
  Options options;
  EXPECT_EQ(go_flag_defaults(rows(options)),
            "  -c int\n    \tNumber of concurrent clients (default 100)\n"
            "  -k\tDo HTTP keep-alive (default true)\n"
            "  -lazy\n    \tRead targets lazily\n"
            "  -u string\n    \tURL\n");
}

}  // namespace
}  // namespace carronade::cli
