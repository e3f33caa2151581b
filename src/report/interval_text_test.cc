#include "report/interval_text.h"

#include <gtest/gtest.h>

#include "base/units.h"
#include "stats/quantile_ci.h"

namespace carronade::report {
namespace {

TEST(CiText, ShowsBothEndsWithTheirUnits) {
  Histogram histogram;
  for (int i = 1; i <= 10'000; ++i) histogram.record(int64_t{i} * 1'000);
  const auto interval = stats::quantile_interval(histogram, 50, 1);
  ASSERT_TRUE(interval.has_value());
  EXPECT_EQ(ci_text(histogram, 50, 1),
            base::format_duration(static_cast<double>(interval->low)) + " … " +
                base::format_duration(static_cast<double>(interval->high)));
  // Ranks 5,000 ∓ 98: 4.9 ms … 5.1 ms, each within its bucket of 0.1 %.
  EXPECT_EQ(ci_text(histogram, 50, 1), "4.90 ms … 5.10 ms");
  EXPECT_NE(ci_text(histogram, 50, 4), ci_text(histogram, 50, 1));
}

TEST(CiText, SaysWhenThereAreTooFew) {
  Histogram histogram;
  for (int i = 1; i <= 367; ++i) histogram.record(i);
  EXPECT_EQ(ci_text(histogram, 99, 1), "n too small");
  EXPECT_EQ(ci_text(Histogram(), 50, 1), "n too small");
  EXPECT_NE(ci_text(histogram, 90, 1), "n too small");
}

TEST(RateCiText, ShowsWholeNumbersOnlyWhereThatIsEnough) {
  EXPECT_EQ(rate_ci_text(std::vector<double>(40, 9'870)), "9,870 … 9,870");
  EXPECT_EQ(rate_ci_text(std::vector<double>(40, 0.5)), "0.5 … 0.5");
  EXPECT_EQ(rate_ci_text({10, 12}), "n too small");
}

TEST(MeasuredIntervals, LeavesTheWarmupOut) {
  RunResult result;
  for (int i = 0; i < 4; ++i) result.intervals.push_back({i * 100, 100, "", ""});
  EXPECT_EQ(measured_intervals(result).size(), 4U);
  result.warmup.emplace();
  EXPECT_EQ(measured_intervals(result).size(), 4U);
  result.warmup->width_ns = 200;
  const std::vector<Interval> rest = measured_intervals(result);
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_EQ(rest[0].start_ns, 200);
}

}  // namespace
}  // namespace carronade::report
