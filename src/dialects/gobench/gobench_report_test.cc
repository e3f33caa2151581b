// Reports of runs made by hand against test/golden/gobench. `APPROVE=1 dialect_gobench_test`
// (started in the root of the source tree) writes them anew.
#include "dialects/gobench/gobench_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/text.h"

namespace carronade::dialects::gobench {
namespace {

constexpr int64_t kMs = 1'000'000;

void compare(const std::string& name, const std::string& text) {
  const std::string path = "test/golden/gobench/" + name + ".txt";
  if (std::getenv("APPROVE") != nullptr) {
    std::ofstream out(path, std::ios::binary);
    ASSERT_TRUE(out << text << std::flush) << path;
    return;
  }
  const Expected<std::string> golden = base::read_file(path);
  ASSERT_TRUE(golden.has_value()) << golden.error().text;
  EXPECT_EQ(text, *golden) << "APPROVE=1 writes " << path << " anew";
}

// The run that gobench's own page shows.
RunResult page_run() {
  RunResult result;
  result.elapsed_ns = 10'000 * kMs;
  result.sent = result.answered = 343'669;
  result.by_status[200] = 343'669;
  result.bytes_received = 547'000'612;
  result.bytes_sent = 41'286'845;
  return result;
}

RunResult mixed_run() {
  RunResult result;
  result.elapsed_ns = 1'900 * kMs;
  result.sent = 1'000;
  result.answered = 950;
  result.failed = 25;
  result.timed_out = 15;
  result.in_flight = 10;
  result.by_status[200] = 600;
  result.by_status[201] = 200;
  result.by_status[302] = 50;
  result.by_status[404] = 60;
  result.by_status[503] = 40;
  result.bytes_received = 190'000;
  result.bytes_sent = 95'000;
  result.errors = {
      {.kind = ErrorKind::kConnectRefused,
       .phase = Phase::kConnect,
       .text = "connect 127.0.0.1:9: Connection refused",
       .count = 30},
      {.kind = ErrorKind::kConnectionReset,
       .phase = Phase::kRead,
       .text = "read 127.0.0.1:80: Connection reset by peer",
       .count = 25,
       .requests = 25},
      {.kind = ErrorKind::kTimeout,
       .phase = Phase::kTimeout,
       .text = "127.0.0.1:80: no answer within 5s",
       .count = 15,
       .requests = 15},
  };
  return result;
}

TEST(GobenchReport, IsThatOfItsPage) { compare("page", gobench_report(page_run(), false)); }

TEST(GobenchReport, QuirksChangeNothingWhereNoneIs) {
  EXPECT_EQ(gobench_report(page_run(), true), gobench_report(page_run(), false));
}

TEST(GobenchReport, OfEveryKindOfEnd) { compare("mixed", gobench_report(mixed_run(), false)); }

TEST(GobenchReport, OfEveryKindOfEndWithQuirks) {
  compare("mixed_quirks", gobench_report(mixed_run(), true));
}

TEST(GobenchReport, OfNothing) {
  compare("nothing", gobench_report(RunResult{}, false));
  compare("nothing_quirks", gobench_report(RunResult{}, true));
}

TEST(GobenchReport, RequestsAreTheSumOfTheirEnds) {
  const std::string report = gobench_report(mixed_run(), false);
  // 950 answers, 40 lost, 30 attempts to connect.
  EXPECT_NE(report.find("Requests:                             1020 hits\n"), std::string::npos);
  EXPECT_NE(report.find("Network failed:                         70 hits\n"), std::string::npos);
}

TEST(GobenchReport, NamesTheErrors) {
  const auto lines = gobench_error_lines(mixed_run());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "connect 127.0.0.1:9: Connection refused (30 times)");
  RunResult many;
  many.errors.resize(14, {.kind = ErrorKind::kTimeout, .phase = Phase::kTimeout, .text = "x"});
  ASSERT_EQ(gobench_error_lines(many).size(), 11U);
  EXPECT_EQ(gobench_error_lines(many).back(), "and 4 more kinds of error");
}

TEST(GobenchReport, TellsOfWhatWasSentAgain) {
  EXPECT_EQ(gobench_retry_line(page_run()), "");
  RunResult result;
  result.retried = 1;
  EXPECT_EQ(gobench_retry_line(result),
            "1 request was sent again, for the server had closed the idle connection");
  result.retried = 3;
  EXPECT_EQ(gobench_retry_line(result),
            "3 requests were sent again, for the server had closed the idle connection");
}

}  // namespace
}  // namespace carronade::dialects::gobench
