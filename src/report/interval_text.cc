#include "report/interval_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/units.h"
#include "stats/quantile_ci.h"

namespace carronade::report {
namespace {

constexpr const char* kTooSmall = "n too small";

// A low rate keeps its decimals: 0.487, 12.3, 9,870.
std::string count_text(double count) {
  count = std::max(count, 0.0);
  if (count < 100) return fmt::format("{:.3g}", count);
  return base::format_thousands(static_cast<uint64_t>(std::llround(count)));
}

}  // namespace

std::string ci_text(const Histogram& histogram, double percent, double design_effect) {
  const std::optional<stats::QuantileInterval> interval =
      stats::quantile_interval(histogram, percent, design_effect);
  if (!interval) return kTooSmall;
  return fmt::format("{} … {}", base::format_duration(static_cast<double>(interval->low)),
                     base::format_duration(static_cast<double>(interval->high)));
}

std::string rate_ci_text(const std::vector<double>& per_second) {
  const std::optional<stats::MeanInterval> interval = stats::mean_interval(per_second);
  if (!interval) return kTooSmall;
  return fmt::format("{} … {}", count_text(interval->low), count_text(interval->high));
}

std::vector<Interval> measured_intervals(const RunResult& result) {
  const int64_t from_ns = result.warmup ? result.warmup->width_ns : 0;
  std::vector<Interval> rest;
  std::copy_if(result.intervals.begin(), result.intervals.end(), std::back_inserter(rest),
               [from_ns](const Interval& interval) { return interval.start_ns >= from_ns; });
  return rest;
}

}  // namespace carronade::report
