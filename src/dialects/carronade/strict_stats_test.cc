#include "dialects/carronade/strict_stats.h"

#include <gtest/gtest.h>

#include <vector>

namespace carronade::dialects {
namespace {

StrictStats stats_of(const std::vector<int64_t>& values) {
  StrictStats stats;
  for (const int64_t value : values) stats.add(value, 1);
  return stats;
}

// The expected figures of this test were taken from autocannon 8.0.0's own histogram.
TEST(StrictStats, AgreesWithAutocannonsHistogram) {
  const StrictStats sequence = stats_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  EXPECT_DOUBLE_EQ(sequence.average(), 7.5);
  EXPECT_DOUBLE_EQ(sequence.stddev(), 4.04);
  EXPECT_EQ(sequence.percentile(10), 2);
  EXPECT_EQ(sequence.percentile(25), 4);
  EXPECT_EQ(sequence.percentile(99.999), 14);

  const StrictStats with_zero = stats_of({123456, 0, 3462});
  EXPECT_DOUBLE_EQ(with_zero.average(), 42317);
  EXPECT_DOUBLE_EQ(with_zero.stddev(), 57413.98);
  EXPECT_EQ(with_zero.min(), 3462);
  EXPECT_EQ(with_zero.max(), 123456);
  EXPECT_EQ(with_zero.percentile(1), 0);
  EXPECT_EQ(with_zero.percentile(50), 3463);
  EXPECT_EQ(with_zero.percentile(75), 123519);

  const StrictStats edges = stats_of({2047, 2048, 2049, 4097});
  EXPECT_DOUBLE_EQ(edges.average(), 2560.75);
  EXPECT_DOUBLE_EQ(edges.stddev(), 887.54);
  EXPECT_EQ(edges.percentile(25), 2047);
  EXPECT_EQ(edges.percentile(50), 2049);
  EXPECT_EQ(edges.percentile(90), 4099);

  const StrictStats large = stats_of({123457, 5000000007});
  EXPECT_DOUBLE_EQ(large.average(), 2500915504);
  EXPECT_EQ(large.percentile(75), 5003804671);
}

TEST(StrictStats, IsAllZeroWithoutValues) {
  const StrictStats none;
  EXPECT_EQ(none.count(), 0U);
  EXPECT_DOUBLE_EQ(none.average(), 0);
  EXPECT_DOUBLE_EQ(none.stddev(), 0);
  EXPECT_EQ(none.min(), 0);
  EXPECT_EQ(none.max(), 0);
  EXPECT_EQ(none.percentile(50), 0);
}

TEST(StrictLatency, DropsFractionsOfMilliseconds) {
  Histogram latency;
  latency.record(900'000);
  latency.record(1'500'000);
  latency.record(900'000'000);
  const StrictStats stats = strict_latency(latency);
  EXPECT_EQ(stats.count(), 3U);
  EXPECT_EQ(stats.percentile(50), 1);
  EXPECT_EQ(stats.max(), 900);
  EXPECT_EQ(stats.percentile(99), 900);
  EXPECT_DOUBLE_EQ(stats.average(), 300.34);
}

RunResult run_of(const std::vector<int64_t>& widths_ms, StoppedBy why) {
  RunResult result;
  result.stopped_by = why;
  for (const int64_t width : widths_ms) {
    Window window;
    window.width_ns = width * 1'000'000;
    result.samples.push_back(window);
  }
  return result;
}

TEST(StrictTicks, CountsAWindowThatTheEndCutWhenAutocannonWould) {
  EXPECT_EQ(strict_ticks(run_of({1000, 1000, 3}, StoppedBy::kDuration)).size(), 2U);
  EXPECT_EQ(strict_ticks(run_of({1000, 1000, 999}, StoppedBy::kDuration)).size(), 3U);
  EXPECT_EQ(strict_ticks(run_of({1000, 3}, StoppedBy::kAmount)).size(), 2U);
  EXPECT_EQ(strict_ticks(run_of({3}, StoppedBy::kDuration)).size(), 1U);
  EXPECT_TRUE(strict_ticks(RunResult{}).empty());
}

}  // namespace
}  // namespace carronade::dialects
