#include "dialects/wrk/wrk_stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace carronade::dialects::wrk {
namespace {

TEST(WrkStats, LatencyRow) {
  Histogram latency;
  for (const int64_t us : {100, 200, 300, 400, 1'000}) latency.record(us * 1'000);
  const WrkRow row = latency_row(latency);
  EXPECT_DOUBLE_EQ(row.mean, 400);
  EXPECT_NEAR(row.stdev, 353.553, 0.001);  // of a sample: n − 1
  EXPECT_DOUBLE_EQ(row.max, 1'000);
  EXPECT_DOUBLE_EQ(row.within, 80);
}

TEST(WrkStats, OneSampleAndNone) {
  Histogram latency;
  EXPECT_TRUE(std::isnan(latency_row(latency).within));
  latency.record(621'000);
  const WrkRow row = latency_row(latency);
  EXPECT_DOUBLE_EQ(row.mean, 621);
  EXPECT_DOUBLE_EQ(row.stdev, 0);
  EXPECT_DOUBLE_EQ(row.within, 100);
  EXPECT_TRUE(std::isnan(rate_row({}).within));
  EXPECT_TRUE(std::isnan(rate_row({0, 0, 0}).within));  // nothing was answered
  EXPECT_DOUBLE_EQ(rate_row({0, 0, 9}).max, 9);
}

TEST(WrkStats, RatesOfOneThread) {
  RunResult result;
  result.sample_interval_ns = 100'000'000;
  for (const uint64_t answered : {40, 0, 60}) {
    result.samples.push_back({.width_ns = 100'000'000, .answered = answered});
  }
  result.samples.push_back({.width_ns = 1'000'000, .answered = 1});  // cut by the end
  EXPECT_EQ(thread_rates(result, 2, false), (std::vector<double>{0, 200, 300}));
  EXPECT_EQ(thread_rates(result, 2, true), (std::vector<double>{200, 300}));
}

TEST(WrkStats, EqualRatesAreAllWithinOneDeviation) {
  EXPECT_DOUBLE_EQ(rate_row({0.1, 0.1, 0.1}).within, 100);
}

TEST(WrkStats, KindsOfErrors) {
  RunResult result;
  result.errors = {
      {.kind = ErrorKind::kConnectRefused, .phase = Phase::kConnect, .text = "", .count = 1},
      {.kind = ErrorKind::kTlsHandshake, .phase = Phase::kTls, .text = "", .count = 2},
      {.kind = ErrorKind::kTimeout, .phase = Phase::kTimeout, .text = "", .count = 4},
      {.kind = ErrorKind::kConnectionReset, .phase = Phase::kWrite, .text = "", .count = 8},
      {.kind = ErrorKind::kConnectionReset, .phase = Phase::kRead, .text = "", .count = 16},
      {.kind = ErrorKind::kMalformedChunk, .phase = Phase::kParse, .text = "", .count = 32}};
  result.by_status[200] = 5;
  result.by_status[399] = 5;
  result.by_status[400] = 6;
  result.by_status[503] = 7;
  const script::ScriptSummary summary = summary_of(result);
  EXPECT_EQ(summary.connect_errors, 3U);
  EXPECT_EQ(summary.timeouts, 4U);
  EXPECT_EQ(summary.write_errors, 8U);
  EXPECT_EQ(summary.read_errors, 48U);
  EXPECT_EQ(summary.status_errors, 13U);
}

TEST(WrkStats, LatencyObject) {
  Histogram latency;
  latency.record_many(1'200, 2);
  latency.record(1'900);
  latency.record(50'000);
  const script::ScriptStats stats = latency_stats(latency);
  EXPECT_EQ(stats.values, (std::vector<std::pair<uint64_t, uint64_t>>{{1, 3}, {50, 1}}));
  EXPECT_EQ(stats.min, 1);
  EXPECT_EQ(stats.max, 50);
  EXPECT_TRUE(latency_stats({}).values.empty());
}

TEST(WrkStats, RateObject) {
  const script::ScriptStats stats = rate_stats({20, 10.5, 10});
  EXPECT_EQ(stats.values, (std::vector<std::pair<uint64_t, uint64_t>>{{10, 2}, {20, 1}}));
  EXPECT_EQ(stats.max, 20);
  EXPECT_NEAR(stats.mean, 40.0 / 3, 1e-9);
}

TEST(WrkStats, WrksCorrection) {
  const script::ScriptStats stats = corrected({.values = {{10, 5}, {45, 2}}}, 10);
  // 45 − 10, 45 − 20, 45 − 30 are above 10; 45 − 40 is not.
  EXPECT_EQ(stats.values, (std::vector<std::pair<uint64_t, uint64_t>>{
                              {10, 5}, {15, 2}, {25, 2}, {35, 2}, {45, 2}}));
  EXPECT_EQ(corrected({.values = {{19, 1}}}, 10).values.size(), 1U);
  EXPECT_EQ(corrected({.values = {{19, 1}}}, 0.5).values.size(), 1U);
}

}  // namespace
}  // namespace carronade::dialects::wrk
