#include "dialects/loadtest/loadtest_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "dialects/loadtest/loadtest_flags.h"
#include "dialects/loadtest/loadtest_parsed.h"

namespace carronade::dialects::loadtest {
namespace {

struct Parsed {
  LoadtestOptions options;
  LoadtestMisuse misuse;
};

Parsed parse(const std::vector<std::string>& args) {
  Parsed parsed;
  parsed.misuse = parse_loadtest_words(loadtest_flags(parsed.options), args, parsed.options.urls);
  return parsed;
}

std::string refusal(const std::vector<std::string>& args) {
  const Parsed parsed = parse(args);
  EXPECT_EQ(parsed.misuse.exit_code == 255, parsed.misuse.on_stdout) << parsed.misuse.text;
  return parsed.misuse.text;
}

constexpr const char* kTry = "\nTry \"--help\" for more information.\n";

TEST(LoadtestWords, EveryWayToGiveAValue) {
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"-n", "100", "http://h/"},
                                             {"http://h/", "-n", "100"},
                                             {"-n=100", "http://h/"},
                                             {"-n100", "http://h/"},
                                             {"-kn100", "http://h/"},
                                             {"-krn", "100", "http://h/"},
                                             {"--maxRequests", "100", "http://h/"},
                                             {"http://h/", "--maxRequests=100"}}) {
    const Parsed parsed = parse(args);
    EXPECT_EQ("", parsed.misuse.text);
    EXPECT_EQ(100U, parsed.options.max_requests);
    EXPECT_EQ(std::vector<std::string>{"http://h/"}, parsed.options.urls);
  }
}

TEST(LoadtestWords, BundledSwitchesAndAliases) {
  EXPECT_EQ(true, parse({"-kr", "http://h/"}).options.keep_alive);
  EXPECT_EQ(true, parse({"--agent", "--debug"}).options.keep_alive);
  EXPECT_TRUE(parse({"-k", "http://h/"}).options.urls.size() == 1);
  EXPECT_EQ(false, parse({"--keepalive=false"}).options.keep_alive);
}

TEST(LoadtestWords, ValuesMayHaveEqualSignsAndGluedDashes) {
  EXPECT_EQ("a=b", parse({"-C", "a=b"}).options.cookies.at(0));
  EXPECT_EQ("a=b", parse({"-C=a=b"}).options.cookies.at(0));
  EXPECT_EQ("-x", parse({"-P=-x"}).options.post_body);
  EXPECT_EQ("", parse({"--data="}).options.data);
}

TEST(LoadtestWords, HeadersAndCookiesRepeatAnywhere) {
  const Parsed parsed = parse({"-H", "a:1", "http://h/", "-H", "b: 2", "-C", "c=3", "-Cd=4"});
  EXPECT_EQ((std::vector<std::string>{"a:1", "b: 2"}), parsed.options.headers);
  EXPECT_EQ((std::vector<std::string>{"c=3", "d=4"}), parsed.options.cookies);
  EXPECT_EQ(1U, parsed.options.urls.size());
}

TEST(LoadtestWords, TheLastOfOtherOptionsHolds) {
  EXPECT_EQ(7U, parse({"-c", "3", "-c", "7"}).options.concurrency);
}

TEST(LoadtestWords, WordsOfDigitsAreNoOptions) {
  EXPECT_EQ((std::vector<std::string>{"-5", "-1,2"}), parse({"-5", "-1,2"}).options.urls);
  EXPECT_EQ("Wrong argument provided: \"--\"." + std::string(kTry), refusal({"--"}));
  EXPECT_EQ("Wrong argument provided: \"-\"." + std::string(kTry), refusal({"-"}));
}

TEST(LoadtestWords, UnknownOptionsAreToldWithTheNearest) {
  EXPECT_EQ("Unknown option: \"-z\"." + std::string(kTry), refusal({"-z"}));
  EXPECT_EQ("Unknown option \"--foobarbaz\"." + std::string(kTry), refusal({"--foobarbaz"}));
  EXPECT_EQ("Unknown option \"--rsp\". Did you mean \"--rps\"?" + std::string(kTry),
            refusal({"--rsp", "3"}));
  EXPECT_EQ("Unknown option \"--concurency\". Did you mean \"--concurrency\"?" + std::string(kTry),
            refusal({"--concurency=3"}));
}

TEST(LoadtestWords, LongNamesWithOneDash) {
  EXPECT_EQ("Unknown option \"-rps\". Did you mean \"--rps\"?" + std::string(kTry),
            refusal({"-rps", "100"}));
  EXPECT_EQ("Unknown option \"-rps\". Did you mean \"--rps\"?" + std::string(kTry),
            refusal({"-rps=100"}));
  EXPECT_EQ("Unknown option \"-tcp\". Did you mean \"--tcp\"?" + std::string(kTry),
            refusal({"-tcp"}));
}

TEST(LoadtestWords, MissingAndNeedlessValues) {
  EXPECT_TRUE(refusal({"-n"}).starts_with("Option \"--maxRequests\" needs a value"));
  EXPECT_TRUE(refusal({"-n", "-k"}).starts_with("Option \"--maxRequests\" needs a value"));
  EXPECT_TRUE(refusal({"--quiet=3"}).starts_with("Option \"--quiet\" takes no value"));
}

TEST(LoadtestWords, NumbersThatAreNone) {
  EXPECT_EQ("loadtest: --maxRequests: \"x\" is not a whole number of 1 or more\n",
            refusal({"-n", "x"}));
  EXPECT_EQ("loadtest: --maxRequests: \"-5\" is not a whole number of 1 or more\n",
            refusal({"-n", "-5"}));
  EXPECT_EQ("loadtest: --concurrency: \"0\" is not a whole number of 1 or more\n",
            refusal({"-c0"}));
  EXPECT_EQ("loadtest: --maxSeconds: \"0\" is not a time above 0\n", refusal({"-t", "0"}));
  EXPECT_TRUE(refusal({"--rps", "fast"}).starts_with("loadtest: --rps: "));
}

TEST(LoadtestWords, FractionsAndUnits) {
  EXPECT_EQ(0.5, parse({"--rps", "0.5"}).options.requests_per_second);
  EXPECT_EQ(0.5, parse({"--rps", "30/m"}).options.requests_per_second);
  EXPECT_EQ(1.5, parse({"-t", "1.5"}).options.max_seconds);
  EXPECT_EQ(120, parse({"-t2m"}).options.max_seconds);
  EXPECT_EQ(250, parse({"-d", "250"}).options.timeout_ms);
  EXPECT_EQ(0, parse({"-d", "0"}).options.timeout_ms);
  EXPECT_EQ(1U, parse({"--cores", "0"}).options.cores);
}

TEST(LoadtestWords, HelpComesBeforeMistakes) {
  const Parsed parsed = parse({"--nonsense", "-P", "--help"});
  EXPECT_TRUE(parsed.options.help);
  EXPECT_EQ("", parsed.misuse.text);
}

TEST(LoadtestWords, HelpHasALineForEachOption) {
  LoadtestOptions unused;
  const std::string help = loadtest_help();
  for (const cli::Flag& flag : loadtest_flags(unused)) {
    EXPECT_NE(std::string::npos, help.find("--" + flag.name + " ")) << flag.name;
  }
  EXPECT_NE(std::string::npos, help.find("  -C, --cookies <ARG1> "));
}

TEST(LoadtestWords, TheCompatibilityPageNamesEveryOption) {
  const Expected<std::string> page = base::read_file("docs/compat/loadtest.md");
  ASSERT_TRUE(page.has_value()) << page.error().text;
  LoadtestOptions unused;
  for (const cli::Flag& flag : loadtest_flags(unused)) {
    EXPECT_NE(std::string::npos, page->find("`--" + flag.name)) << flag.name;
    for (const std::string& alias : flag.aliases) {
      EXPECT_NE(std::string::npos, page->find("`--" + alias)) << alias;
    }
    if (flag.letter == 0) continue;
    EXPECT_NE(std::string::npos, page->find(std::string("`-") + flag.letter)) << flag.letter;
  }
}

TEST(LoadtestParsed, NamesOfTheApiAndOnlyWhatWasGiven) {
  EXPECT_EQ(
      "{\"options\":{\"url\":\"http://h/\"},\"needsJavaScript\":false,"
      "\"defaultCores\":4}\n",
      parsed_options_text(parse({"http://h/"}).options, false, 4));
  EXPECT_EQ(
      "{\"options\":{\"url\":\"http://h/\",\"maxRequests\":5,\"requestsPerSecond\":0.5,"
      "\"contentType\":\"a/b\",\"body\":\"x\",\"method\":\"POST\",\"headers\":[[\"A\",\" 1\"]],"
      "\"cookies\":[\"c=d\"],\"indexParam\":\"i\",\"insecure\":false,\"agentKeepAlive\":true},"
      "\"needsJavaScript\":true,\"defaultCores\":1}\n",
      parsed_options_text(parse({"-n5", "--rps=0.5", "-P", "x", "-T", "a/b", "-H", "A: 1", "-C",
                                 "c=d", "-k", "--insecure=false", "--index", "i", "http://h/"})
                              .options,
                          true, 1));
}

}  // namespace
}  // namespace carronade::dialects::loadtest
