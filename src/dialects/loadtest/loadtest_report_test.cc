// Reports of runs made by hand against test/golden/loadtest. `APPROVE=1 dialect_loadtest_test`
// (started in the root of the source tree) writes them anew.
#include "dialects/loadtest/loadtest_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/text.h"
#include "dialects/loadtest/loadtest_losses.h"
#include "dialects/loadtest/loadtest_numbers.h"

namespace carronade::dialects::loadtest {
namespace {

constexpr int64_t kMs = 1'000'000;

void compare(const std::string& name, const std::string& text) {
  const std::string path = "test/golden/loadtest/" + name + ".txt";
  if (std::getenv("APPROVE") != nullptr) {
    std::ofstream out(path, std::ios::binary);
    ASSERT_TRUE(out << text << std::flush) << path;
    return;
  }
  const Expected<std::string> golden = base::read_file(path);
  ASSERT_TRUE(golden.has_value()) << golden.error().text;
  EXPECT_EQ(text, *golden) << "APPROVE=1 writes " << path << " anew";
}

LoadtestSettings settings_for(uint64_t requests) {
  LoadtestSettings settings;
  settings.url_text = "http://localhost:7357/";
  settings.max_requests = requests;
  settings.keep_alive = true;
  return settings;
}

// The figures of the original's README, in one run on two threads.
RunResult page_run() {
  RunResult result;
  result.elapsed_ns = 354 * kMs;
  result.connections_asked = 10;
  result.workers.resize(2);
  result.sent = 1000;
  result.answered = 999;
  result.failed = 1;
  result.by_status[200] = 997;
  result.by_status[500] = 2;
  result.errors = {{.kind = ErrorKind::kConnectionReset,
                    .phase = Phase::kRead,
                    .text = "read 127.0.0.1:7357: Connection reset by peer",
                    .count = 1,
                    .requests = 1}};
  for (int i = 0; i < 600; ++i) result.latency.record(7 * kMs);
  for (int i = 0; i < 310; ++i) result.latency.record(10 * kMs);
  for (int i = 0; i < 45; ++i) result.latency.record(11'250'000);
  for (int i = 0; i < 40; ++i) result.latency.record(15'630'000);
  for (int i = 0; i < 4; ++i) result.latency.record(20'040'000);
  return result;
}

TEST(LoadtestReport, ThePageOfTheOriginal) {
  const RunResult result = page_run();
  compare("page", loadtest_report_text(make_loadtest_report(settings_for(1000), result)));
  EXPECT_EQ(std::vector<std::string>{"1 x read 127.0.0.1:7357: Connection reset by peer"},
            loadtest_notes(result));
}

TEST(LoadtestReport, ARateOnOneThread) {
  LoadtestSettings settings;
  settings.url_text = "http://localhost:7357/";
  settings.max_seconds = 20;
  settings.requests_per_second = 0.5;
  RunResult result;
  result.elapsed_ns = 20'000 * kMs;
  result.connections_peak = 3;
  result.connections_asked = 1;
  result.workers.resize(1);
  result.rate.emplace();
  result.sent = result.answered = 10;
  result.by_status[204] = 10;
  for (int i = 1; i <= 10; ++i) result.latency.record(i * 150'500);
  compare("rate", loadtest_report_text(make_loadtest_report(settings, result)));
}

TEST(LoadtestReport, NothingAnswered) {
  LoadtestSettings settings = settings_for(5);
  settings.keep_alive = false;
  settings.tcp = true;
  RunResult result;
  result.elapsed_ns = 120 * kMs;
  result.connections_asked = 2;
  result.errors = {{.kind = ErrorKind::kConnectRefused,
                    .phase = Phase::kConnect,
                    .text = "connect 127.0.0.1:9: Connection refused",
                    .count = 5}};
  compare("nothing", loadtest_report_text(make_loadtest_report(settings, result)));
}

TEST(LoadtestReport, NothingAtAll) {
  LoadtestSettings settings = settings_for(5);
  settings.keep_alive = false;
  compare("empty", loadtest_report_text(make_loadtest_report(settings, RunResult{})));
}

TEST(LoadtestReport, RefusedHandshakesHaveTheirStatus) {
  RunResult result;
  result.websocket.emplace();
  result.websocket->refused_by_status[404] = 3;
  result.errors = {{.kind = ErrorKind::kUpgradeRefused,
                    .phase = Phase::kUpgrade,
                    .text = "upgrade 127.0.0.1:9: 404 Not Found",
                    .count = 4}};
  const LoadtestReport report = make_loadtest_report(settings_for(1), result);
  ASSERT_EQ(2U, report.error_codes.size());
  EXPECT_EQ("404", report.error_codes[0].first);
  EXPECT_EQ(3U, report.error_codes[0].second);
  EXPECT_EQ(1U, report.error_codes[1].second);
  EXPECT_EQ(4U, report.completed);
}

TEST(LoadtestReport, ErrorsThatEndedNoRequestAreNotes) {
  RunResult result;
  result.answered = 4;
  result.errors = {
      {ErrorKind::kExcessBytes, Phase::kParse, "too many", 4, 0},
      {ErrorKind::kMalformedFrame, Phase::kParse, "a reserved bit", 3, 1},
      {ErrorKind::kTimeout, Phase::kTimeout, "late", 3, 2},
      {ErrorKind::kConnectRefused, Phase::kConnect, "refused", 5, 0},
  };
  EXPECT_EQ(1U + 2 + 5, lost_requests(result));
  const LoadtestReport report = make_loadtest_report(settings_for(12), result);
  EXPECT_EQ(12U, report.completed);
  EXPECT_EQ((std::vector<std::pair<std::string, uint64_t>>{{"-1", 8}}), report.error_codes);
  EXPECT_EQ(4U, loadtest_notes(result).size());
  // A frame that broke every connection before its first message is a failure.
  result.answered = 0;
  result.errors = {{ErrorKind::kMalformedFrame, Phase::kParse, "a reserved bit", 3, 0}};
  EXPECT_EQ(3U, lost_requests(result));
}

TEST(LoadtestReport, LossesOfNoRequest) {
  const auto lost = [](ErrorKind kind, uint32_t requests, int64_t due_ns) {
    return lost_requests({0, kind, Phase::kParse, "", requests, due_ns});
  };
  EXPECT_EQ(0U, lost(ErrorKind::kExcessBytes, 0, 0));
  EXPECT_EQ(2U, lost(ErrorKind::kTimeout, 2, 7));
  EXPECT_EQ(1U, lost(ErrorKind::kMalformedFrame, 0, 7));
  EXPECT_EQ(1U, lost(ErrorKind::kConnectRefused, 0, 0));
}

TEST(LoadtestReport, NextToNoTimeWithoutAnAnswerIsNoRate) {
  RunResult result;
  result.elapsed_ns = 13'000;
  result.errors = {{ErrorKind::kResolveFailed, Phase::kResolve, "no such name", 1, 0}};
  const auto text = [&result] {
    return loadtest_report_text(make_loadtest_report(settings_for(3), result));
  };
  EXPECT_NE(std::string::npos, text().find("Effective rps:       n/a\n"));
  result = {};
  result.elapsed_ns = 500'000;
  result.answered = 1;
  result.latency.record(400'000);
  EXPECT_NE(std::string::npos, text().find("Effective rps:       2000\n"));
}

TEST(LoadtestReport, HowToTrustACertificate) {
  RunResult result;
  result.errors = {{ErrorKind::kTlsCertificate, Phase::kTls, "self-signed", 1, 0}};
  EXPECT_EQ((std::vector<std::string>{"1 x self-signed",
                                      "trusted are the system's certificates and those in the file "
                                      "that SSL_CERT_FILE names; --insecure accepts any"}),
            loadtest_notes(result));
}

TEST(LoadtestReport, NotesOfARate) {
  RunResult result;
  result.rate.emplace();
  result.rate->refused = 2;
  result.rate->unsent = 2;
  result.retried = 1;
  result.errors = {{.kind = ErrorKind::kConnectRefused,
                    .phase = Phase::kConnect,
                    .text = "connect 127.0.0.1:9: Connection refused",
                    .count = 1}};
  EXPECT_EQ((std::vector<std::string>{
                "1 x connect 127.0.0.1:9: Connection refused",
                "3 requests were due and not sent: no connection was free, or the time was over",
                "1 request was sent again after the server had closed an idle connection"}),
            loadtest_notes(result));
}

TEST(LoadtestReport, ManyInFlightAreANote) {
  RunResult result;
  result.answered = 1000;
  result.in_flight = 10;
  EXPECT_TRUE(loadtest_notes(result).empty());
  result.in_flight = 11;
  EXPECT_EQ((std::vector<std::string>{"11 requests were in flight at the end, without an answer so "
                                      "far: in none of the figures"}),
            loadtest_notes(result));
}

TEST(LoadtestProgressText, Lines) {
  const LoadtestCounts before{.answered = 4546, .errors = 2, .lost = 0, .latency_ns = 4'000 * kMs};
  const LoadtestCounts now{.answered = 9120, .errors = 428, .lost = 426, .latency_ns = 8'000 * kMs};
  EXPECT_EQ(
      "Requests: 9546 (95%), requests per second: 1000, mean latency: 0.875 ms\n"
      "Errors: 426, accumulated errors: 428, 4.5% of total requests\n",
      loadtest_progress_text(now, before, 5'000 * kMs, 10'000));
  EXPECT_EQ("Requests: 4, requests per second: 0.8, mean latency: 12.5 ms\n",
            loadtest_progress_text({.answered = 4, .latency_ns = 50 * kMs}, {}, 5'000 * kMs, {}));
  EXPECT_EQ("Requests: 0, requests per second: 0, mean latency: n/a\n",
            loadtest_progress_text({}, {}, 5'000 * kMs, {}));
}

TEST(LoadtestNumbers, Texts) {
  EXPECT_EQ("10", plain_number(10));
  EXPECT_EQ("0.354", plain_number(0.354));
  EXPECT_EQ("0", plain_number(-0.0));
  EXPECT_EQ("20.1", latency_text(20'060'000));
  EXPECT_EQ("20", latency_text(20'040'000));
  EXPECT_EQ("1.51", latency_text(1'505'000));
  EXPECT_EQ("0.151", latency_text(150'500));
  EXPECT_EQ("0.001", latency_text(1'000));
  EXPECT_EQ("0.151", mean_text(150'500));
  EXPECT_EQ("7.7", mean_text(7'686'000));
  EXPECT_EQ(1.5, read_number(" 1.5 "));
  EXPECT_FALSE(read_number("1.5x").has_value());
  EXPECT_FALSE(read_number("nan").has_value());
}

}  // namespace
}  // namespace carronade::dialects::loadtest
