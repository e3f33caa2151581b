#include "carronade/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace carronade {
namespace {

constexpr int64_t kHour = 3'600'000'000'000;

// Values spread evenly over the orders of magnitude from 1 ns to 1 h.
std::vector<int64_t> log_uniform(size_t count, uint32_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> exponent(0, std::log(static_cast<double>(kHour)));
  std::vector<int64_t> values(count);
  for (int64_t& value : values) {
    value = std::clamp<int64_t>(std::llround(std::exp(exponent(random))), 1, kHour);
  }
  return values;
}

void expect_equal(const Histogram& a, const Histogram& b) {
  EXPECT_EQ(a.count(), b.count());
  EXPECT_EQ(a.min(), b.min());
  EXPECT_EQ(a.max(), b.max());
  EXPECT_EQ(a.sum(), b.sum());
  EXPECT_EQ(a.stddev(), b.stddev());
  for (int i = 0; i < Histogram::bucket_count(); ++i) {
    ASSERT_EQ(a.bucket(i), b.bucket(i)) << i;
  }
}

TEST(Histogram, EmptyHasZeros) {
  const Histogram h;
  EXPECT_TRUE(h.empty());
  EXPECT_EQ(h.count(), 0U);
  EXPECT_EQ(h.min(), 0);
  EXPECT_EQ(h.max(), 0);
  EXPECT_EQ(h.mean(), 0);
  EXPECT_EQ(h.stddev(), 0);
  EXPECT_EQ(h.percentile(50), 0);
}

TEST(Histogram, CopiesAndAssignmentsHoldTheSameAndAreTheirOwn) {
  Histogram h;
  for (const int64_t value : log_uniform(1'000, 3)) h.record(value);
  Histogram copy(h);
  expect_equal(copy, h);

  Histogram other;
  other.record(7);  // outside the range of what comes next: has to go
  other.record(3 * kHour);
  other = h;
  expect_equal(other, h);
  Histogram& itself = other;
  other = itself;
  expect_equal(other, h);

  Histogram moved(std::move(copy));
  expect_equal(moved, h);
  copy = other;  // one that was moved from takes a new value
  expect_equal(copy, h);
  moved = Histogram();
  expect_equal(moved, Histogram());

  copy.record(1);
  EXPECT_EQ(copy.count(), h.count() + 1);
}

TEST(Histogram, BucketsCoverEveryValueOnce) {
  EXPECT_EQ(Histogram::bucket_low(0), 0);
  for (int i = 0; i < Histogram::bucket_count(); ++i) {
    ASSERT_EQ(Histogram::bucket_index(Histogram::bucket_low(i)), i);
    ASSERT_EQ(Histogram::bucket_index(Histogram::bucket_high(i)), i);
    ASSERT_LE(Histogram::bucket_low(i), Histogram::bucket_high(i));
    if (i > 0) {
      ASSERT_EQ(Histogram::bucket_low(i), Histogram::bucket_high(i - 1) + 1);
    }
  }
}

TEST(Histogram, EveryValueIsWithinATenthOfAPercent) {
  for (const int64_t value : log_uniform(200'000, 1)) {
    const int index = Histogram::bucket_index(value);
    const int64_t low = Histogram::bucket_low(index);
    const int64_t high = std::min(Histogram::bucket_high(index), kHour);
    ASSERT_LE(low, value);
    ASSERT_GE(high, value);
    ASSERT_LE(static_cast<double>(high - low), static_cast<double>(value) * 0.001) << value;
  }
}

TEST(Histogram, PercentilesAreWithinATenthOfAPercentOfTheSamples) {
  std::vector<int64_t> values = log_uniform(50'000, 2);
  Histogram h;
  for (const int64_t value : values) h.record(value);
  std::sort(values.begin(), values.end());
  int64_t before = 0;
  for (int tenths = 0; tenths <= 1000; ++tenths) {
    const size_t rank = std::max<size_t>(values.size() * static_cast<size_t>(tenths) / 1000, 1);
    const auto truth = static_cast<double>(values[rank - 1]);
    const int64_t got = h.percentile(tenths / 10.0);
    ASSERT_GE(static_cast<double>(got), truth) << tenths;
    ASSERT_LE(static_cast<double>(got), truth * 1.001) << tenths;
    ASSERT_GE(got, before);
    before = got;
  }
  EXPECT_EQ(h.percentile(100), values.back());
  EXPECT_EQ(h.min(), values.front());
  EXPECT_EQ(h.max(), values.back());
}

TEST(Histogram, PercentileIsTheNearestRank) {
  Histogram h;
  for (int64_t value = 1; value <= 1000; ++value) h.record(value);
  EXPECT_EQ(h.percentile(0), 1);
  EXPECT_EQ(h.percentile(0.1), 1);
  EXPECT_EQ(h.percentile(0.11), 2);
  EXPECT_EQ(h.percentile(50), 500);
  EXPECT_EQ(h.percentile(50.01), 501);
  // None of these has an exact double; the product must not slip to the next rank.
  EXPECT_EQ(h.percentile(99.9), 999);
  EXPECT_EQ(h.percentile(97.3), 973);
  EXPECT_EQ(h.percentile(64.7), 647);
  EXPECT_EQ(h.percentile(100), 1000);
}

TEST(Histogram, PercentileStaysBetweenMinAndMax) {
  Histogram h;
  h.record(1'000'001);
  EXPECT_EQ(h.percentile(1), 1'000'001);
  h.record(1'000'002);  // the same bucket
  EXPECT_EQ(h.percentile(50), 1'000'002);
  EXPECT_EQ(h.percentile(100), 1'000'002);
}

TEST(Histogram, NegativeValuesCountAsZero) {
  Histogram h;
  h.record(-5);
  EXPECT_EQ(h.count(), 1U);
  EXPECT_EQ(h.min(), 0);
  EXPECT_EQ(h.max(), 0);
  EXPECT_EQ(h.bucket(0), 1U);
  EXPECT_EQ(h.sum(), 0);
}

TEST(Histogram, LargerThanAnHourKeepsTheExactMax) {
  Histogram h;
  h.record(2 * kHour);
  h.record(3 * kHour);
  EXPECT_EQ(h.bucket(Histogram::bucket_count() - 1), 2U);
  EXPECT_EQ(h.min(), 2 * kHour);
  EXPECT_EQ(h.max(), 3 * kHour);
  EXPECT_EQ(h.mean(), 2.5 * static_cast<double>(kHour));
  EXPECT_EQ(h.percentile(100), 3 * kHour);
  EXPECT_GE(h.percentile(1), 2 * kHour);
}

TEST(Histogram, RecordManyIsRecordManyTimes) {
  Histogram once, many;
  for (int i = 0; i < 7; ++i) once.record(12'345'678);
  many.record_many(12'345'678, 7);
  many.record_many(99, 0);  // nothing: not even the min
  expect_equal(once, many);
}

TEST(Histogram, MergeOfPartsIsTheWhole) {
  const std::vector<int64_t> values = log_uniform(10'000, 3);
  Histogram whole, merged;
  std::vector<Histogram> parts(3);
  for (size_t i = 0; i < values.size(); ++i) {
    whole.record(values[i]);
    parts[i % 3].record(values[i]);
  }
  for (const Histogram& part : parts) merged.merge(part);
  merged.merge(Histogram());
  expect_equal(merged, whole);
}

TEST(Histogram, ResetLeavesNothing) {
  Histogram h;
  for (const int64_t value : log_uniform(1000, 4)) h.record(value);
  h.record(0);
  h.record(2 * kHour);
  h.reset();
  expect_equal(h, Histogram());
  h.record(5);
  EXPECT_EQ(h.min(), 5);
  EXPECT_EQ(h.max(), 5);
}

TEST(Histogram, MeanAndStddev) {
  Histogram h;
  for (const int64_t value : {2, 4, 4, 4, 5, 5, 7, 9}) h.record(value);
  EXPECT_DOUBLE_EQ(h.mean(), 5);
  EXPECT_DOUBLE_EQ(h.stddev(), 2);
  // A spread far smaller than the mean, where squares in doubles would cancel to noise.
  Histogram far;
  far.record_many(1'000'000'000'000, 1'000'000);
  far.record_many(1'000'000'000'002, 1'000'000);
  EXPECT_DOUBLE_EQ(far.mean(), 1'000'000'000'001);
  EXPECT_DOUBLE_EQ(far.stddev(), 1);
}

}  // namespace
}  // namespace carronade
