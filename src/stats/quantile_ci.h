// How far a percentile may be off: a two-sided 95 % interval from order statistics, widened for
// samples that depend on each other. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "carronade/histogram.h"
#include "carronade/window.h"

namespace carronade::stats {

struct QuantileInterval {
  int64_t low = 0;
  int64_t high = 0;
};

// Of the percentile (0 < percent < 100) of `histogram`: ranks n·p ∓ 1.96·√(deff·n·p·(1−p)), the
// exact binomial for fewer than 1,000 samples. Nothing when there are too few samples for a
// bound on either side (36 for p90, 368 for p99, 3,688 for p99.9; more with deff > 1).
std::optional<QuantileInterval> quantile_interval(const Histogram& histogram, double percent,
                                                  double design_effect);

// The variance of the number of samples above the percentile in windows of time over the
// binomial one, the window doubled until it settles; at least 1. It includes the widening by
// Student's t that is due for knowing it from few windows only. 1 when there are too few
// intervals to tell (< 8); infinite, which makes quantile_interval say "too few", when the run is
// too short for how long its latencies depend on each other. `intervals` are decoded once for all
// percentiles; of more than 512 neighbours are put together.
class DesignEffect {
 public:
  explicit DesignEffect(const std::vector<Interval>& intervals);
  double at(int64_t threshold_ns) const;

 private:
  // Samples in this bucket and above; as few bytes as the window had different latencies.
  struct From {
    int bucket = 0;
    uint64_t count = 0;
  };
  struct Counts {
    uint64_t total = 0;
    std::vector<From> from;  // highest bucket first
  };
  std::vector<Counts> windows_;
};

// A 95 % interval for the mean of a series of counts, one a window (batch means over doubled
// windows, Student's t). Nothing for fewer than 4 windows, or when they do not settle.
struct MeanInterval {
  double low = 0;
  double high = 0;
};
std::optional<MeanInterval> mean_interval(const std::vector<double>& series);

}  // namespace carronade::stats
