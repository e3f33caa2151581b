#include "stats/gap_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace carronade::stats {
namespace {

constexpr int64_t kTolerance = 50'000;

Histogram even(int64_t gap_ns, int count) {
  Histogram h;
  h.record_many(gap_ns, static_cast<uint64_t>(count));
  return h;
}

Histogram exponential(uint32_t seed, double mean_ns, int count) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> gap(1 / mean_ns);
  Histogram h;
  for (int i = 0; i < count; ++i) h.record(static_cast<int64_t>(gap(random)));
  return h;
}

TEST(GapDistance, NoSamples) {
  const GapDistance none = gap_distance({}, even(1'000'000, 10), kTolerance);
  EXPECT_EQ(none.distance, 0);
  EXPECT_FALSE(none.failed());
  EXPECT_FALSE(gap_distance(even(1'000'000, 10), {}, kTolerance).failed());
}

TEST(GapDistance, EvenGapsWithinTheToleranceAreTheSame) {
  const Histogram planned = even(1'000'000, 5000);
  for (const int64_t off : {-49'000, 0, 49'000}) {
    EXPECT_EQ(gap_distance(planned, even(1'000'000 + off, 5000), kTolerance).distance, 0) << off;
  }
  for (const int64_t off : {-52'000, 52'000}) {
    const GapDistance far = gap_distance(planned, even(1'000'000 + off, 5000), kTolerance);
    EXPECT_EQ(far.distance, 1) << off;
    EXPECT_TRUE(far.failed());
  }
}

TEST(GapDistance, IsTheShareThatIsOff) {
  // A stalled generator: 8 % of the requests leave in a burst, without a gap.
  Histogram sent = even(1'000'000, 920);
  sent.record_many(0, 80);
  const GapDistance found = gap_distance(even(1'000'000, 1000), sent, kTolerance);
  EXPECT_DOUBLE_EQ(found.distance, 0.08);
  EXPECT_NEAR(found.critical, 1.6276 * std::sqrt(2.0 / 1000), 1e-12);
  EXPECT_TRUE(found.failed());
  EXPECT_FALSE(gap_distance(even(1'000'000, 100), even(1'001'000, 92), kTolerance).failed());
}

TEST(GapDistance, BothDirectionsAreSeen) {
  Histogram longer = even(1'000'000, 900);
  longer.record_many(9'000'000, 100);
  Histogram shorter = even(1'000'000, 900);
  shorter.record_many(1000, 100);
  const Histogram planned = even(1'000'000, 1000);
  EXPECT_DOUBLE_EQ(gap_distance(planned, longer, kTolerance).distance, 0.1);
  EXPECT_DOUBLE_EQ(gap_distance(planned, shorter, kTolerance).distance, 0.1);
}

TEST(GapDistance, PoissonFailsAsOftenAsItsLevelSays) {
  int failed = 0;
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    failed +=
        gap_distance(exponential(seed, 1e6, 2000), exponential(seed + 1000, 1e6, 2000), 0).failed();
  }
  EXPECT_LE(failed, 6);  // 2 are expected
}

TEST(GapDistance, PoissonIsNotEven) {
  EXPECT_TRUE(gap_distance(exponential(1, 1e6, 2000), even(1'000'000, 2000), kTolerance).failed());
  // Nor is a Poisson process of a rate 15 % higher.
  EXPECT_TRUE(
      gap_distance(exponential(1, 1e6, 20'000), exponential(2, 0.85e6, 20'000), 10'000).failed());
}

TEST(GapDistance, LongestValuesDoNotOverflow) {
  const Histogram longest = even(4'000'000'000'000, 100);
  EXPECT_EQ(gap_distance(longest, longest, kTolerance).distance, 0);
}

}  // namespace
}  // namespace carronade::stats
