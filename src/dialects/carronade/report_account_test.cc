#include "dialects/carronade/report_account.h"

#include <gtest/gtest.h>

namespace carronade::dialects {
namespace {

TEST(WarningLine, IsThereOnlyWhenMostAnswersAreNotGood) {
  RunResult result;
  EXPECT_EQ(warning_line(result, false), "warning: no request was answered\n");
  result.latency.record(1000);
  result.answered = 4;
  result.by_status[200] = 2;
  result.by_status[404] = 2;
  EXPECT_EQ(warning_line(result, false), "");
  result.answered = 5;
  result.by_status[503] = 1;
  EXPECT_EQ(warning_line(result, false), "warning: 3 of 5 answers are not 2xx: 404 (2), 503 (1)\n");
}

TEST(WarningLine, NamesTheMostFrequentCodes) {
  RunResult result;
  for (const uint16_t code : {301, 404, 429, 500}) result.by_status[code] = code;
  result.answered = 301 + 404 + 429 + 500;
  result.latency.record(1000);
  EXPECT_EQ(warning_line(result, false),
            "warning: 1,634 of 1,634 answers are not 2xx: 500 (500), 429 (429), 404 (404), …\n");
}

TEST(WarningLine, SaysWhyATableIsEmpty) {
  RunResult result;
  result.answered = result.by_status[503] = 10;
  EXPECT_EQ(warning_line(result, false),
            "warning: 10 of 10 answers are not 2xx: 503 (10); -x leaves all of them out of latency "
            "and bytes\n");
}

TEST(WarningLine, TellsOfBodiesThatWereNotExpected) {
  RunResult result;
  result.latency.record(1000);
  result.answered = result.by_status[200] = 4;
  result.mismatched = 2;
  EXPECT_EQ(warning_line(result, false), "");
  result.mismatched = 4;
  EXPECT_EQ(warning_line(result, false), "warning: 4 of 4 answers have not the expected body\n");
}

TEST(AccountLines, TermsAddUpAndZerosAreLeftOut) {
  RunResult result;
  result.sent = 1;
  result.answered = 1;
  result.by_status[204] = 1;
  result.elapsed_ns = 2'030'000;
  result.stopped_by = StoppedBy::kUser;
  EXPECT_EQ(account_lines(result),
            "1 request sent, 1 answered\n1 2xx response\n"
            "1 request in 2.03 ms, 0 B read, stopped by the user\n");
}

TEST(AccountLines, NamesWhatStandsBesideTheSum) {
  RunResult result;
  result.sent = 10;
  result.failed = 1;
  result.timed_out = 2;
  result.in_flight = 7;
  result.retried = 3;
  result.dropped = 5;
  const std::string text = account_lines(result);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "10 requests sent, 0 answered, 1 failed, 2 timed out, 7 in flight at the end "
            "(3 retried after a close, 5 never sent)");
}

TEST(AccountLines, SaysWhenFewerConnectionsWereOpenThanAskedFor) {
  RunResult result;
  result.connections_asked = 50;
  result.connections_peak = 12;
  EXPECT_NE(account_lines(result).find("50 connections asked for, at most 12 open at once\n"),
            std::string::npos);
  result.connections_peak = 0;
  EXPECT_NE(account_lines(result).find("50 connections asked for, none was ever open\n"),
            std::string::npos);
  result.connections_peak = 50;
  EXPECT_EQ(account_lines(result).find("connections"), std::string::npos);
}

TEST(ErrorLines, KeepsFaultsOfThisMachineApart) {
  RunResult result;
  result.errors = {
      {ErrorKind::kOutOfPorts, Phase::kConnect, "connect: no port", 1200},
      {ErrorKind::kTimeout, Phase::kTimeout, "no answer", 1},
  };
  const std::string text = error_lines(result);
  EXPECT_EQ(text.substr(0, text.find('\n', 1)), "\n1,201 errors (1 timeout)");
  const size_t server = text.find("from the server");
  const size_t own = text.find("faults of this machine");
  ASSERT_NE(server, std::string::npos);
  ASSERT_NE(own, std::string::npos);
  EXPECT_LT(server, text.find("no answer"));
  EXPECT_LT(text.find("no answer"), own);
  EXPECT_LT(own, text.find("connect: no port"));
}

TEST(ErrorLines, OneErrorIsOneLineWhateverItsText) {
  RunResult result;
  result.errors = {{ErrorKind::kMalformedResponse, Phase::kParse, "a\nb\x1b[2J", 1}};
  EXPECT_EQ(error_lines(result).find('\x1b'), std::string::npos);
  EXPECT_NE(error_lines(result).find("a b\\x1b[2J\n"), std::string::npos);
  result.errors[0].text = "within 500µs";
  EXPECT_NE(error_lines(result).find("within 500µs\n"), std::string::npos);
}

TEST(ErrorLines, CutsALongListAndSaysSo) {
  RunResult result;
  for (int i = 0; i < 25; ++i) {
    result.errors.push_back({ErrorKind::kReadFailed, Phase::kRead, std::to_string(i), 1});
  }
  EXPECT_NE(error_lines(result).find("and 5 more kinds and texts: see -j\n"), std::string::npos);
  EXPECT_EQ(error_lines(RunResult{}), "");
}

}  // namespace
}  // namespace carronade::dialects
