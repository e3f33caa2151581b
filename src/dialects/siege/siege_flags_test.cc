#include "dialects/siege/siege_flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "cli/getopt_flags.h"
#include "dialects/siege/siege_report.h"

namespace carronade::dialects::siege {
namespace {

struct Parsed {
  SiegeSettings settings;
  SiegeCall call;
  std::vector<std::string> words;
  std::vector<std::string> told;
  std::string error;
};

Parsed parse(const std::vector<std::string>& args) {
  Parsed parsed;
  const cli::GetoptRules rules{
      .program = "siege",
      .on_unknown = [&parsed](const std::string& message) { parsed.told.push_back(message); }};
  const auto operands = cli::parse_getopt(siege_flags(parsed.settings, parsed.call), args, rules);
  if (operands) {
    parsed.words = operands->words;
  } else {
    parsed.error = operands.error().text;
  }
  return parsed;
}

TEST(SiegeFlags, TheLineOfTheManual) {
  const Parsed p =
      parse({"-c50", "-t10s", "-H", "Authorization: Bearer x", "URL POST < task.json"});
  EXPECT_EQ(p.settings.concurrent, 50);
  EXPECT_EQ(p.settings.time_ns, 10'000'000'000);
  EXPECT_EQ(p.settings.headers, std::vector<std::string>{"Authorization: Bearer x"});
  EXPECT_EQ(p.words, std::vector<std::string>{"URL POST < task.json"});
}

TEST(SiegeFlags, OptionsBehindTheUrlAndAbbreviations) {
  const Parsed p = parse({"http://a/", "--conc=3", "--rep", "once", "-ib", "--q", "--quirks"});
  EXPECT_EQ(p.settings.concurrent, 3);
  EXPECT_TRUE(p.settings.once);
  EXPECT_TRUE(p.settings.internet);
  EXPECT_TRUE(p.settings.benchmark);
  EXPECT_TRUE(p.settings.quiet);
  EXPECT_TRUE(p.settings.quirks);
  EXPECT_TRUE(p.told.empty());
}

TEST(SiegeFlags, TheLogFileIsGluedOn) {
  EXPECT_EQ(parse({"-l/tmp/x.log"}).settings.logfile, "/tmp/x.log");
  EXPECT_EQ(parse({"--log=/tmp/x.log"}).settings.logfile, "/tmp/x.log");
  const Parsed p = parse({"-l", "http://a/"});
  EXPECT_TRUE(p.settings.logging);
  EXPECT_EQ(p.settings.logfile, "/var/log/siege.log");
  EXPECT_EQ(p.words.size(), 1U);
  EXPECT_TRUE(parse({"-m", "text"}).settings.logging);
}

TEST(SiegeFlags, UnknownOptionsAreToldAndPassedOver) {
  const Parsed p = parse({"-Z", "--bogus", "-c", "2"});
  EXPECT_EQ(p.told, (std::vector<std::string>{"siege: invalid option -- 'Z'",
                                              "siege: unrecognized option '--bogus'"}));
  EXPECT_EQ(p.settings.concurrent, 2);
}

TEST(SiegeFlags, NumbersThatAreNone) {
  EXPECT_EQ(parse({"-c", "abc"}).error, "-c: \"abc\" is not a number such as 25");
  EXPECT_NE(parse({"-t", "soon"}).error, "");
  EXPECT_EQ(parse({"-t", "0s"}).error, "-t: the time to run has to be above 0");
  EXPECT_NE(parse({"-d", "x"}).error, "");
  EXPECT_NE(parse({"-r", "x"}).error, "");
  EXPECT_EQ(parse({"-c", "0"}).settings.concurrent, 1);
  EXPECT_EQ(parse({"-c", "-5"}).settings.concurrent, 1);
}

TEST(SiegeFlags, ThePageAndTheHelpNameEachFlag) {
  const Expected<std::string> page = base::read_file("docs/compat/siege.md");
  ASSERT_TRUE(page.has_value()) << page.error().text;
  SiegeSettings settings;
  SiegeCall call;
  const std::string help = help_text();
  for (const cli::Flag& flag : siege_flags(settings, call)) {
    EXPECT_NE(page->find("`--" + flag.name + "`"), std::string::npos) << flag.name;
    EXPECT_NE(help.find("--" + flag.name), std::string::npos) << flag.name;
    if (flag.letter == 0) continue;
    EXPECT_NE(page->find(std::string("`-") + flag.letter + "`"), std::string::npos) << flag.letter;
  }
}

}  // namespace
}  // namespace carronade::dialects::siege
