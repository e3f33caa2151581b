#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "base/check.h"
#include "stats/batch_variance.h"
#include "stats/histogram_codec.h"
#include "stats/quantile_ci.h"

namespace carronade::stats {

namespace {

// More windows than this tell no more about the variance of the longest batches.
constexpr size_t kMostWindows = 512;
// Fewer do not tell dependence from chance.
constexpr size_t kFewestWindows = 8;
constexpr double kMinBatches = 10;
// Of freedom: with fewer the few batches that have slow answers decide everything.
constexpr double kMinDegrees = 4;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

DesignEffect::DesignEffect(const std::vector<Interval>& intervals) {
  int64_t width_ns = 0;
  for (const Interval& interval : intervals) width_ns += interval.width_ns;
  // By time, not by number: later intervals of a long run are wider.
  const int64_t least_ns =
      intervals.size() > kMostWindows ? width_ns / static_cast<int64_t>(kMostWindows) : 0;
  Histogram scratch;
  for (size_t i = 0; i < intervals.size();) {
    int64_t together_ns = 0;
    do {
      CHECK(decode_histogram(intervals[i].latency, scratch));
      together_ns += intervals[i].width_ns;
    } while (++i < intervals.size() && together_ns < least_ns);
    Counts window;
    window.total = scratch.count();
    uint64_t above = 0;
    const int lowest = scratch.empty() ? 1 : Histogram::bucket_index(scratch.min());
    const int highest = scratch.empty() ? 0 : Histogram::bucket_index(scratch.max());
    for (int bucket = highest; bucket >= lowest; --bucket) {
      if (scratch.bucket(bucket) == 0) continue;
      above += scratch.bucket(bucket);
      window.from.push_back({bucket, above});
    }
    windows_.push_back(std::move(window));
    scratch.reset();
  }
}

double DesignEffect::at(int64_t threshold_ns) const {
  if (windows_.size() < kFewestWindows) return 1;
  const int limit = Histogram::bucket_index(threshold_ns);
  std::vector<double> above;
  std::vector<double> totals;
  double all_above = 0;
  double all = 0;
  for (const Counts& window : windows_) {
    // The buckets run downwards: the last one above the limit has the count of all above it.
    const auto end = std::partition_point(window.from.begin(), window.from.end(),
                                          [&](const From& from) { return from.bucket > limit; });
    above.push_back(end == window.from.begin() ? 0 : static_cast<double>(std::prev(end)->count));
    totals.push_back(static_cast<double>(window.total));
    all_above += above.back();
    all += totals.back();
  }
  const double share = all > 0 ? all_above / all : 0;
  if (share <= 0 || share >= 1) return 1;
  for (size_t i = 0; i < above.size(); ++i) above[i] -= share * totals[i];
  const BatchVariance found = batch_variance(above, totals, kMinBatches);
  if (!found.settled) return kInfinite;
  // Where most batches have no slow answer and a few have many, the variance is known less well
  // than its degrees of freedom say.
  const double degrees = found.degrees * 2 / std::max(found.kurtosis - 1, 2.0);
  if (degrees < kMinDegrees) return kInfinite;
  const double wider = student95(degrees) / kNormal95;
  return std::max(1.0, found.ratio / (share * (1 - share)) * wider * wider);
}

}  // namespace carronade::stats
