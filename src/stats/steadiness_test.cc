#include "stats/steadiness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "stats/histogram_codec.h"

namespace carronade::stats {
namespace {

std::vector<double> noise(uint32_t seed, size_t size, double mean, double deviation) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(mean, deviation);
  std::vector<double> series(size);
  for (double& value : series) value = normal(random);
  return series;
}

TEST(Mser5, FindsNoWarmupInASteadyRun) {
  int cuts = 0;
  for (unsigned seed = 100; seed < 400; ++seed) {
    for (const size_t size : {40u, 60u, 100u, 300u}) {
      if (mser5(noise(seed, size, 100, 3)).observations > 0) ++cuts;
    }
  }
  EXPECT_LE(cuts, 24);  // of 1,200
}

TEST(Mser5, CutsATransient) {
  std::vector<double> series = noise(1, 200, 100, 3);
  for (size_t i = 0; i < 38; ++i) series[i] += 80;
  const Cut cut = mser5(series);
  EXPECT_TRUE(cut.settled);
  EXPECT_GE(cut.observations, 35u);
  EXPECT_LE(cut.observations, 70u);
}

TEST(Mser5, FallingTransient) {
  std::vector<double> series = noise(2, 300, 100, 2);
  for (size_t i = 0; i < series.size(); ++i) {
    series[i] += 200 * std::exp(-static_cast<double>(i) / 10);
  }
  const Cut cut = mser5(series);
  EXPECT_TRUE(cut.settled);
  EXPECT_GE(cut.observations, 20u);
  EXPECT_LE(cut.observations, 90u);
}

TEST(Mser5, NothingToCut) {
  EXPECT_EQ(mser5({}).observations, 0u);
  EXPECT_EQ(mser5({9, 1, 1, 1, 1, 1, 1}).observations, 0u);
  const Cut constant = mser5(std::vector<double>(100, 5));
  EXPECT_EQ(constant.observations, 0u);
  EXPECT_TRUE(constant.settled);
}

TEST(Mser5, MultiplesOfFiveAndAtMostHalfOfANoise) {
  int unsettled = 0;
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    const Cut cut = mser5(noise(seed, 100, 100, 5));
    EXPECT_EQ(cut.observations % 5, 0u);
    EXPECT_LE(cut.observations, 50u);
    unsettled += !cut.settled;
  }
  EXPECT_LE(unsettled, 10);
}

TEST(Mser5, UnsettledWhenTheChangeComesLate) {
  std::vector<double> series = noise(3, 200, 100, 3);
  for (size_t i = 0; i < 150; ++i) series[i] += 80;
  const Cut cut = mser5(series);
  EXPECT_FALSE(cut.settled);
  EXPECT_EQ(cut.observations, 0u);
}

TEST(Steadiness, ShortSeriesIsSteady) {
  const Steadiness found = steadiness({1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_FALSE(found.trend);
  EXPECT_FALSE(found.wanders);
}

TEST(Steadiness, ConstantIsSteady) {
  const Steadiness found = steadiness(std::vector<double>(60, 4));
  EXPECT_FALSE(found.trend);
  EXPECT_FALSE(found.wanders);
  EXPECT_EQ(found.change, 0);
}

TEST(Steadiness, Trend) {
  std::vector<double> series;
  for (int i = 0; i <= 10; ++i) series.push_back(100 + 2 * i);
  const Steadiness rising = steadiness(series);
  EXPECT_TRUE(rising.trend);
  EXPECT_NEAR(rising.change, 20.0 / 110, 1e-9);
  std::reverse(series.begin(), series.end());
  EXPECT_NEAR(steadiness(series).change, -20.0 / 110, 1e-9);
}

TEST(Steadiness, WandersWithoutATrend) {
  std::vector<double> series;
  for (int i = 0; i < 60; ++i) series.push_back(100 + 10 * std::sin(i * 2 * M_PI / 20));
  const Steadiness found = steadiness(series);
  EXPECT_TRUE(found.wanders);
  EXPECT_FALSE(found.trend);
}

TEST(Steadiness, AlternationIsNoWandering) {
  std::vector<double> series;
  for (int i = 0; i < 60; ++i) series.push_back(i % 2);
  EXPECT_FALSE(steadiness(series).wanders);
}

TEST(Steadiness, NoiseIsUnsteadyAsOftenAsTheLevelSays) {
  for (const size_t size : {10, 30, 120}) {
    int trends = 0;
    int wanders = 0;
    for (uint32_t seed = 1; seed <= 1000; ++seed) {
      const Steadiness found = steadiness(noise(seed, size, 100, 5));
      trends += found.trend;
      wanders += found.wanders;
    }
    EXPECT_LE(trends, 20) << size;
    EXPECT_LE(wanders, 20) << size;
  }
}

TEST(Steadiness, LongSeriesIsBatched) {
  std::vector<double> series = noise(5, 100'000, 100, 5);
  EXPECT_FALSE(steadiness(series).trend);
  for (size_t i = 0; i < series.size(); ++i) series[i] += static_cast<double>(i) * 1e-4;
  const Steadiness found = steadiness(series);
  EXPECT_TRUE(found.trend);
  EXPECT_NEAR(found.change, 10.0 / 105, 0.02);
}

// `slow` intervals of 100 ms at ten times the latency, then steady ones; one window a second.
RunResult run_of(size_t slow, size_t intervals, bool open_loop) {
  RunResult result;
  std::mt19937_64 random(11);
  std::normal_distribution<double> latency(1e6, 2e4);
  if (open_loop) result.rate.emplace().load_ns = static_cast<int64_t>(intervals) * 100'000'000;
  for (size_t i = 0; i < intervals; ++i) {
    Histogram response;
    Histogram service;
    for (int k = 0; k < 50; ++k) {
      const double ns = latency(random) * (i < slow ? 10 : 1);
      response.record(static_cast<int64_t>(ns));
      service.record(static_cast<int64_t>(ns / 2));
    }
    const auto start_ns = static_cast<int64_t>(i) * 100'000'000;
    result.intervals.push_back({start_ns, 100'000'000, encode_histogram(response),
                                open_loop ? encode_histogram(service) : ""});
    result.latency.merge(response);
    if (open_loop) result.rate->service_time.merge(service);
    if (i % 10 != 0) continue;
    Window window;
    window.start_ns = start_ns;
    window.width_ns = 1'000'000'000;
    window.answered = 500;
    result.samples.push_back(window);
    result.series.push_back(window);
  }
  return result;
}

TEST(SetWarmupApart, MovesTheBeginning) {
  for (const bool open_loop : {false, true}) {
    RunResult result = run_of(20, 100, open_loop);
    const Histogram whole = result.latency;
    set_warmup_apart(result);
    ASSERT_TRUE(result.warmup);
    const WarmupResult& warmup = *result.warmup;
    EXPECT_TRUE(warmup.settled);
    EXPECT_GE(warmup.width_ns, 2'000'000'000);
    EXPECT_LE(warmup.width_ns, 5'000'000'000);
    EXPECT_EQ(warmup.answered, warmup.latency.count());
    EXPECT_EQ(warmup.latency.count() + result.latency.count(), whole.count());
    EXPECT_EQ(warmup.latency.count(), static_cast<uint64_t>(warmup.width_ns / 100'000'000) * 50);
    EXPECT_LT(result.latency.max(), 2'000'000);
    EXPECT_EQ(warmup.latency.max(), whole.max());
    for (int i = 0; i < Histogram::bucket_count(); ++i) {
      ASSERT_EQ(warmup.latency.bucket(i) + result.latency.bucket(i), whole.bucket(i));
    }
    EXPECT_EQ(result.intervals.front().start_ns, 0);
    EXPECT_EQ(result.series.front().start_ns, 0);
    EXPECT_GE(result.samples.front().start_ns, warmup.width_ns);
    EXPECT_LT(result.samples.front().start_ns, warmup.width_ns + 1'000'000'000);
    if (open_loop) {
      EXPECT_EQ(result.rate->service_time.count(), result.latency.count());
      EXPECT_EQ(warmup.service_time.count(), warmup.latency.count());
      EXPECT_LT(result.rate->service_time.max(), 1'000'000);
    }
  }
}

TEST(SetWarmupApart, RatesAreSeenToo) {
  RunResult result = run_of(0, 100, false);
  Histogram few;
  few.record_many(1'000'000, 5);
  for (size_t i = 0; i < 25; ++i) result.intervals[i].latency = encode_histogram(few);
  set_warmup_apart(result);
  EXPECT_GE(result.warmup->width_ns, 2'500'000'000);
  EXPECT_EQ(result.warmup->latency.count() + result.latency.count(), 25u * 5 + 75 * 50);
}

TEST(SetWarmupApart, KeepsAllOfARunThatNeverSettles) {
  RunResult result = run_of(70, 100, true);
  set_warmup_apart(result);
  EXPECT_FALSE(result.warmup->settled);
  EXPECT_EQ(result.warmup->width_ns, 0);
  EXPECT_TRUE(result.warmup->latency.empty());
  EXPECT_EQ(result.latency.count(), 5000u);
  EXPECT_EQ(result.rate->service_time.count(), 5000u);
  EXPECT_EQ(result.intervals.size(), 100u);
  EXPECT_EQ(result.series.size(), 10u);
}

TEST(SetWarmupApart, EmptyIntervalsAndTheDrainingDoNotCount) {
  RunResult empty;
  set_warmup_apart(empty);
  EXPECT_EQ(empty.warmup->width_ns, 0);
  EXPECT_TRUE(empty.warmup->settled);

  // Nothing is answered in the first second; after the schedule little is.
  RunResult result = run_of(0, 100, true);
  for (size_t i = 0; i < 10; ++i) result.intervals[i].latency = "";
  Histogram few;
  few.record(1'000'000);
  for (size_t i = 70; i < 100; ++i) result.intervals[i].latency = encode_histogram(few);
  result.rate->load_ns = 7'000'000'000;
  set_warmup_apart(result);
  EXPECT_TRUE(result.warmup->settled);
  EXPECT_GE(result.warmup->width_ns, 1'000'000'000);
  EXPECT_LE(result.warmup->width_ns, 3'500'000'000);
}

}  // namespace
}  // namespace carronade::stats
