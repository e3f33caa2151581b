#include "stats/quantile_ci.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "stats/batch_variance.h"
#include "stats/histogram_codec.h"

namespace carronade::stats {
namespace {

// One sample of each value 1 … count: a value is its rank, in buckets of one up to 2,047.
Histogram ranks(int count) {
  Histogram h;
  for (int value = 1; value <= count; ++value) h.record(value);
  return h;
}

void expect_interval(int count, double percent, int64_t low, int64_t high) {
  const auto found = quantile_interval(ranks(count), percent, 1);
  ASSERT_TRUE(found) << count << " p" << percent;
  EXPECT_EQ(found->low, low) << count << " p" << percent;
  EXPECT_EQ(found->high, high) << count << " p" << percent;
}

TEST(QuantileInterval, ExistsFromThePublishedCounts) {
  const struct {
    double percent;
    int least;
  } counts[] = {{90, 36}, {99, 368}, {99.9, 3688}, {99.99, 36'887}, {99.999, 368'887}};
  for (const auto& [percent, least] : counts) {
    EXPECT_FALSE(quantile_interval(ranks(least - 1), percent, 1)) << percent;
    EXPECT_TRUE(quantile_interval(ranks(least), percent, 1)) << percent;
    EXPECT_FALSE(quantile_interval(ranks(2 * least - 2), percent, 2)) << percent;
    EXPECT_TRUE(quantile_interval(ranks(2 * least), percent, 2)) << percent;
  }
  EXPECT_FALSE(quantile_interval(ranks(35), 10, 1));
  EXPECT_TRUE(quantile_interval(ranks(36), 10, 1));
}

// Tables of the distribution-free interval of the median (Conover): 6: 1–6, 10: 2–9, 20: 6–15,
// 50: 18–33, 100: 40–61.
TEST(QuantileInterval, ExactBinomialForTheMedian) {
  EXPECT_FALSE(quantile_interval(ranks(5), 50, 1));
  expect_interval(6, 50, 1, 6);
  expect_interval(10, 50, 2, 9);
  expect_interval(20, 50, 6, 15);
  expect_interval(50, 50, 18, 33);
  expect_interval(100, 50, 40, 61);
}

TEST(QuantileInterval, LowAndHighPercentilesMirror) {
  const auto high = quantile_interval(ranks(200), 90, 1);
  const auto low = quantile_interval(ranks(200), 10, 1);
  ASSERT_TRUE(high && low);
  EXPECT_EQ(low->low, 201 - high->high);
  EXPECT_EQ(low->high, 201 - high->low);
  // P(Bin(200, 0.1) ≤ 11) = 1.7 %, ≤ 12: 3.2 %; ≥ 29: 2.8 %, ≥ 30: 1.7 %.
  EXPECT_EQ(high->high, 189);
  EXPECT_EQ(high->low, 171);
}

TEST(QuantileInterval, NormalLawForManySamples) {
  // 1000 ∓ 1.96 · √500 = 956.2 … 1043.8
  expect_interval(2000, 50, 956, 1044);
  const auto wide = quantile_interval(ranks(2000), 50, 1.9);  // ∓ 60.4
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->low, 939);
  EXPECT_EQ(wide->high, 1061);
}

TEST(QuantileInterval, WidensWithTheRootOfTheDesignEffect) {
  const Histogram h = ranks(2000);
  const auto one = quantile_interval(h, 90, 1);
  const auto four = quantile_interval(h, 90, 4);
  ASSERT_TRUE(one && four);
  EXPECT_NEAR(
      static_cast<double>(four->high - four->low) / static_cast<double>(one->high - one->low), 2,
      0.1);
  const auto less = quantile_interval(h, 90, 0.25);  // never narrower than independent samples
  EXPECT_EQ(less->low, one->low);
}

TEST(QuantileInterval, NothingWithoutSamplesOrSense) {
  EXPECT_FALSE(quantile_interval({}, 50, 1));
  EXPECT_FALSE(quantile_interval(ranks(100), 0, 1));
  EXPECT_FALSE(quantile_interval(ranks(100), 100, 1));
  EXPECT_FALSE(quantile_interval(ranks(100), 50, std::numeric_limits<double>::infinity()));
}

std::vector<Interval> windows_of(const std::vector<std::vector<int64_t>>& windows) {
  std::vector<Interval> intervals;
  for (const auto& values : windows) {
    Histogram h;
    for (const int64_t value : values) h.record(value);
    intervals.push_back({0, 100, encode_histogram(h), ""});
  }
  return intervals;
}

TEST(DesignEffect, IsOneWhereNothingTells) {
  EXPECT_EQ(DesignEffect({}).at(5), 1);
  EXPECT_EQ(DesignEffect(windows_of({{1}, {9}, {1}, {9}, {1}, {9}, {1}})).at(5), 1);  // seven
  EXPECT_EQ(DesignEffect(windows_of(std::vector<std::vector<int64_t>>(50, {1, 9}))).at(5), 1);
  EXPECT_EQ(DesignEffect(windows_of(std::vector<std::vector<int64_t>>(50, {1}))).at(5), 1);
  EXPECT_EQ(DesignEffect(windows_of(std::vector<std::vector<int64_t>>(50))).at(5), 1);
}

TEST(DesignEffect, NearOneForIndependentSamplesInUnequalWindows) {
  std::mt19937_64 random(7);
  std::vector<std::vector<int64_t>> windows(400);
  for (auto& window : windows) {
    window.resize(random() % 200);
    for (int64_t& value : window) value = static_cast<int64_t>(random() % 100);
  }
  const DesignEffect effect(windows_of(windows));
  for (const int64_t threshold : {10, 49, 89}) {
    EXPECT_GE(effect.at(threshold), 1);
    EXPECT_LE(effect.at(threshold), 1.3);
  }
}

// Each sample ten times over is ten times fewer samples, within windows and across them.
TEST(DesignEffect, CountsRepeatedSamplesOnce) {
  std::mt19937_64 random(3);
  std::vector<std::vector<int64_t>> within(400);
  std::vector<std::vector<int64_t>> across(2000);
  for (auto& window : within) {
    for (int i = 0; i < 20; ++i) {
      window.insert(window.end(), 10, static_cast<int64_t>(random() % 100));
    }
  }
  for (size_t i = 0; i < across.size(); i += 10) {
    const auto value = static_cast<int64_t>(random() % 100);
    for (size_t j = i; j < i + 10; ++j) across[j] = {value};
  }
  EXPECT_NEAR(DesignEffect(windows_of(within)).at(49), 10, 2.5);
  EXPECT_NEAR(DesignEffect(windows_of(across)).at(49), 10, 3);
}

TEST(DesignEffect, InfiniteForATrend) {
  std::vector<std::vector<int64_t>> windows(100);
  for (size_t i = 0; i < windows.size(); ++i) {
    for (size_t j = 0; j < 100; ++j) windows[i].push_back(static_cast<int64_t>(j + i));
  }
  EXPECT_TRUE(std::isinf(DesignEffect(windows_of(windows)).at(100)));
}

TEST(Student95, MatchesTheTable) {
  EXPECT_NEAR(student95(2), 4.303, 0.06);
  EXPECT_NEAR(student95(3), 3.182, 0.004);
  EXPECT_NEAR(student95(5), 2.571, 0.001);
  EXPECT_NEAR(student95(10), 2.228, 0.001);
  EXPECT_NEAR(student95(30), 2.042, 0.001);
  EXPECT_NEAR(student95(1e9), kNormal95, 1e-6);
}

TEST(MeanInterval, StudentForFewWindows) {
  EXPECT_FALSE(mean_interval({1, 2, 3}));
  const auto found = mean_interval({9, 11, 10, 12, 8, 10});  // s² = 2, t₅ = 2.571
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->low, 10 - 2.571 * std::sqrt(2.0 / 6), 0.001);
  EXPECT_NEAR(found->high, 10 + 2.571 * std::sqrt(2.0 / 6), 0.001);
  const auto constant = mean_interval(std::vector<double>(20, 7));
  ASSERT_TRUE(constant);
  EXPECT_EQ(constant->low, 7);
  EXPECT_EQ(constant->high, 7);
}

TEST(MeanInterval, NothingForATrend) {
  std::vector<double> series;
  for (int i = 0; i < 60; ++i) series.push_back(i);
  EXPECT_FALSE(mean_interval(series));
}

// Holds the mean about 95 times in 100, for a series whose neighbours correlate by 0.6.
TEST(MeanInterval, CoversTheMeanOfACorrelatedSeries) {
  int covered = 0;
  int given = 0;
  for (uint32_t seed = 1; seed <= 1000; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise;
    double state = noise(random) / 0.8;
    std::vector<double> series;
    for (int i = 0; i < 120; ++i) {
      series.push_back(100 + state);
      state = 0.6 * state + noise(random);
    }
    const auto found = mean_interval(series);
    if (!found) continue;
    ++given;
    covered += found->low <= 100 && 100 <= found->high;
  }
  EXPECT_GE(given, 900);
  EXPECT_GE(covered, given * 92 / 100);
  EXPECT_LE(covered, given * 98 / 100);
}

}  // namespace
}  // namespace carronade::stats
