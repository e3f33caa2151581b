#include "dialects/ab/ab_times.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace carronade::dialects::ab {
namespace {

std::vector<AbRecord> totals(const std::vector<int64_t>& values) {
  std::vector<AbRecord> records;
  for (const int64_t value : values) records.push_back({.total_ns = value});
  return records;
}

int64_t median(const std::vector<int64_t>& values, bool quirks) {
  std::vector<AbRecord> records = totals(values);
  return ab_times(records, quirks).total.median;
}

TEST(AbTimes, MedianIsTheMiddle) {
  EXPECT_EQ(7, median({7}, false));
  EXPECT_EQ(2, median({3, 1}, false));
  EXPECT_EQ(2, median({3, 1, 2}, false));
  EXPECT_EQ(25, median({40, 10, 30, 20}, false));
  EXPECT_EQ(30, median({50, 40, 10, 30, 20}, false));
}

TEST(AbTimes, MedianOfAbIsARankHigher) {
  EXPECT_EQ(7, median({7}, true));
  EXPECT_EQ(3, median({3, 1}, true));
  EXPECT_EQ(25, median({30, 10, 20}, true));
  EXPECT_EQ(30, median({40, 10, 30, 20}, true));
  EXPECT_EQ(35, median({50, 40, 10, 30, 20}, true));
}

TEST(AbTimes, EachRowOfItsOwnFigures) {
  std::vector<AbRecord> records{
      {.connect_ns = 5, .wait_ns = 1, .total_ns = 6},
      {.connect_ns = 0, .wait_ns = 2, .total_ns = 3},
  };
  const AbTimes times = ab_times(records, false);
  EXPECT_EQ(0, times.connect.min);
  EXPECT_EQ(5, times.connect.max);
  // The least total less the least connect time would be 3, the largest 1.
  EXPECT_EQ(1, times.processing.min);
  EXPECT_EQ(3, times.processing.max);
  EXPECT_EQ(2, times.processing.mean);
  EXPECT_EQ(1, times.waiting.min);
  EXPECT_EQ(2, times.waiting.max);
  EXPECT_EQ(4, times.total.mean);
  EXPECT_EQ(3, records.front().total_ns) << "not sorted by total";
}

TEST(AbTimes, DeviationIsThatOfASample) {
  std::vector<AbRecord> records = totals({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_NEAR(std::sqrt(32.0 / 7), ab_times(records, false).total.deviation, 1e-12);
  std::vector<AbRecord> one = totals({2});
  EXPECT_EQ(0, ab_times(one, false).total.deviation);
}

TEST(AbTimes, LargeNumbersLoseNothing) {
  constexpr int64_t kDay = 86'400'000'000'000;
  std::vector<AbRecord> records = totals({kDay, kDay + 2});
  const AbRow row = ab_times(records, false).total;
  EXPECT_EQ(kDay + 1, row.mean);
  EXPECT_NEAR(std::sqrt(2.0), row.deviation, 1e-3);
}

TEST(AbTimes, NearestRank) {
  EXPECT_EQ(49U, ab_rank(100, 50, false));
  EXPECT_EQ(98U, ab_rank(100, 99, false));
  EXPECT_EQ(99U, ab_rank(100, 100, false));
  EXPECT_EQ(0U, ab_rank(1, 50, false));
  EXPECT_EQ(0U, ab_rank(2, 50, false));
  EXPECT_EQ(1U, ab_rank(2, 66, false));
  EXPECT_EQ(0U, ab_rank(100, 0, false));
}

TEST(AbTimes, RanksOfAb) {
  EXPECT_EQ(50U, ab_rank(100, 50, true));
  EXPECT_EQ(99U, ab_rank(100, 99, true));
  EXPECT_EQ(99U, ab_rank(100, 100, true));
  EXPECT_EQ(1U, ab_csv_rank(3, 33, true));
  EXPECT_EQ(0U, ab_csv_rank(3, 16, true));
  EXPECT_EQ(1U, ab_csv_rank(3, 17, true));
  EXPECT_EQ(2U, ab_csv_rank(3, 99, true)) << "ab reads behind the end here";
  EXPECT_EQ(0U, ab_csv_rank(3, 0, true));
}

TEST(AbTimes, Rounding) {
  EXPECT_EQ(0, round_ms(499'999));
  EXPECT_EQ(1, round_ms(500'000));
  EXPECT_EQ(1, round_ms(1'499'999));
}

TEST(AbRecords, KeepsEveryRecordOverBlocks) {
  AbRecords records;
  EXPECT_EQ(0U, records.size());
  constexpr int64_t kCount = 100'000;
  for (int64_t i = 0; i < kCount; ++i) records.add({.start_ns = i});
  EXPECT_EQ(static_cast<size_t>(kCount), records.size());
  std::vector<AbRecord> all;
  records.move_to(all);
  ASSERT_EQ(static_cast<size_t>(kCount), all.size());
  for (int64_t i = 0; i < kCount; ++i) ASSERT_EQ(i, all[static_cast<size_t>(i)].start_ns);
  EXPECT_EQ(0U, records.size());
}

}  // namespace
}  // namespace carronade::dialects::ab
