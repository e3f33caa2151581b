#include "report/spread.h"

#include <gtest/gtest.h>

namespace carronade::report {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

RunResult run_of(const std::vector<uint64_t>& answers, int64_t interval, int64_t last_width) {
  RunResult result;
  result.sample_interval_ns = interval;
  for (const uint64_t n : answers) {
    Window window;
    window.start_ns = static_cast<int64_t>(result.samples.size()) * interval;
    window.width_ns = interval;
    window.answered = n;
    window.bytes_received = 100 * n;
    result.samples.push_back(window);
  }
  if (!result.samples.empty()) result.samples.back().width_ns = last_width;
  return result;
}

TEST(Spread, LeavesOutTheWindowThatTheEndCut) {
  const Spread spread =
      window_spread(run_of({100, 300, 200, 1}, kSecond, 3'000'000), Counted::kAnswers);
  EXPECT_EQ(spread.counts, (std::vector<double>{100, 200, 300}));
  EXPECT_FALSE(spread.cut);
  EXPECT_DOUBLE_EQ(spread.mean(), 200);
  EXPECT_NEAR(spread.stddev(), 81.6497, 1e-3);
  EXPECT_DOUBLE_EQ(spread.min(), 100);
  EXPECT_DOUBLE_EQ(spread.max(), 300);
}

TEST(Spread, ScalesTheOnlyWindowOfAShortRun) {
  const Spread spread = window_spread(run_of({50}, kSecond, kSecond / 4), Counted::kAnswers);
  EXPECT_TRUE(spread.cut);
  EXPECT_EQ(spread.counts, (std::vector<double>{200}));
  EXPECT_DOUBLE_EQ(spread.per_second(spread.mean()), 200);
}

TEST(Spread, CountsBytes) {
  const Spread spread = window_spread(run_of({1, 2}, kSecond, kSecond), Counted::kBytesReceived);
  EXPECT_EQ(spread.counts, (std::vector<double>{100, 200}));
}

TEST(Spread, WindowsOfNothingCountAsNothing) {
  const Spread spread = window_spread(run_of({0, 10, 0}, kSecond, kSecond), Counted::kAnswers);
  EXPECT_DOUBLE_EQ(spread.percentile(50), 0);
  EXPECT_DOUBLE_EQ(spread.percentile(97.5), 10);
}

TEST(Spread, RatesFollowTheWidthOfTheWindow) {
  const Spread spread =
      window_spread(run_of({25, 25}, kSecond / 4, kSecond / 4), Counted::kAnswers);
  EXPECT_DOUBLE_EQ(spread.per_second(spread.mean()), 100);
}

TEST(Spread, PercentilesAreNearestRank) {
  Spread spread;
  for (int i = 1; i <= 14; ++i) spread.counts.push_back(i);
  EXPECT_DOUBLE_EQ(spread.percentile(0), 1);
  EXPECT_DOUBLE_EQ(spread.percentile(10), 2);
  EXPECT_DOUBLE_EQ(spread.percentile(50), 7);
  EXPECT_DOUBLE_EQ(spread.percentile(100), 14);
}

TEST(Spread, NothingMeasuredIsEmptyNotNonsense) {
  const Spread spread = window_spread(RunResult{}, Counted::kAnswers);
  EXPECT_TRUE(spread.empty());
  EXPECT_DOUBLE_EQ(spread.mean(), 0);
  EXPECT_DOUBLE_EQ(spread.stddev(), 0);
  EXPECT_DOUBLE_EQ(spread.percentile(50), 0);
  // A window of no width is no measurement either.
  EXPECT_TRUE(window_spread(run_of({5}, kSecond, 0), Counted::kAnswers).empty());
}

}  // namespace
}  // namespace carronade::report
