// Reports of runs made by hand against the files in test/golden/wrk. `APPROVE=1
// dialect_wrk_report_test` (started in the root of the source tree) writes them anew.
#include "dialects/wrk/wrk_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/text.h"

namespace carronade::dialects::wrk {
namespace {

void compare(const std::string& name, const std::string& text) {
  const std::string path = "test/golden/wrk/" + name + ".txt";
  const char* const approve = std::getenv("APPROVE");
  if (approve != nullptr && std::string(approve) == "1") {
    std::ofstream out(path, std::ios::binary);
    ASSERT_TRUE(out << text << std::flush) << path;
    return;
  }
  const Expected<std::string> golden = base::read_file(path);
  ASSERT_TRUE(golden.has_value()) << golden.error().text;
  EXPECT_EQ(text, *golden) << "APPROVE=1 dialect_wrk_report_test writes " << path << " anew";
}

WrkReportOptions options() {
  return {.url = "http://127.0.0.1:8080/index.html",
          .threads = 2,
          .connections = 100,
          .duration_s = 30};
}

RunResult good_run() {
  RunResult result;
  result.elapsed_ns = 30'004'000'000;
  result.sample_interval_ns = 100'000'000;
  for (int i = 0; i < 300; ++i) {
    const uint64_t answered = 4'000 + static_cast<uint64_t>(i % 7) * 50;
    result.samples.push_back(
        {.start_ns = i * 100'000'000LL, .width_ns = 100'000'000, .answered = answered});
    result.answered += answered;
  }
  result.by_status[200] = result.answered;
  result.bytes_received = result.answered * 853;
  for (uint64_t i = 0; i < result.answered; ++i) {
    result.latency.record(static_cast<int64_t>(200'000 + i % 1'000 * 1'000));
  }
  result.latency.record_many(12'920'000, 5);
  return result;
}

std::string text_of(const RunResult& result, const WrkReportOptions& options) {
  return wrk_heading(options) + wrk_report(result, options);
}

TEST(WrkReport, Plain) { compare("plain", text_of(good_run(), options())); }

TEST(WrkReport, WithLatency) {
  WrkReportOptions with = options();
  with.latency = true;
  compare("latency", text_of(good_run(), with));
}

TEST(WrkReport, Errors) {
  RunResult result = good_run();
  result.by_status[200] -= 17;
  result.by_status[404] = 17;
  result.errors = {
      {.kind = ErrorKind::kConnectionReset, .phase = Phase::kRead, .text = "", .count = 105},
      {.kind = ErrorKind::kTimeout, .phase = Phase::kTimeout, .text = "", .count = 2}};
  compare("errors", text_of(result, options()));
}

TEST(WrkReport, NothingAnswered) {
  RunResult result;
  result.elapsed_ns = 1'000'000'000;
  result.sample_interval_ns = 100'000'000;
  for (int i = 0; i < 10; ++i) result.samples.push_back({.width_ns = 100'000'000, .answered = 0});
  WrkReportOptions with = options();
  with.latency = true;
  compare("nothing", text_of(result, with));
  with.quirks = true;
  compare("nothing.quirks", text_of(result, with));
  result.elapsed_ns = 0;
  EXPECT_NE(text_of(result, with).find("Requests/sec:      0.00\nTransfer/sec:      0.00B\n"),
            std::string::npos);
}

// A stall: windows without an answer count, and no latency is made up, but with --quirks.
TEST(WrkReport, Stall) {
  RunResult result;
  result.elapsed_ns = 2'000'000'000;
  result.sample_interval_ns = 100'000'000;
  result.answered = 1'001;
  result.bytes_received = 56'056;
  for (int i = 0; i < 20; ++i) {
    result.samples.push_back({.width_ns = 100'000'000, .answered = i < 10 ? 100U : 0U});
  }
  result.latency.record_many(1'000'000, 1'000);
  result.latency.record(1'000'000'000);
  WrkReportOptions with = options();
  with.latency = true;
  with.threads = 1;
  with.connections = 1;
  compare("stall", text_of(result, with));
  with.quirks = true;
  compare("stall.quirks", text_of(result, with));
}

TEST(WrkReport, Wrk2) {
  RunResult result = good_run();
  result.rate.emplace().service_time.record_many(450'000, result.answered);
  WrkReportOptions with = options();
  with.wrk2 = true;
  compare("wrk2", text_of(result, with));
  with.latency = true;
  compare("wrk2.latency", text_of(result, with));
  with.service_time = true;
  compare("wrk2.service_time", text_of(result, with));
}

TEST(WrkReport, ObjectsOfDone) {
  const WrkDone done = done_objects(good_run(), options());
  EXPECT_EQ(done.summary.requests, good_run().answered);
  EXPECT_EQ(done.summary.duration_us, 30'004'000);
  EXPECT_EQ(done.latency.count(), good_run().latency.count());
  EXPECT_EQ(done.latency.max, 12'920);
  EXPECT_EQ(done.requests.min, 20'000);
  EXPECT_EQ(done.requests.max, 21'500);
}

}  // namespace
}  // namespace carronade::dialects::wrk
