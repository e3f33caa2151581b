// How sure the figures of a latency row are: 95 % intervals with the design effect of the run.
#pragma once

#include <optional>
#include <vector>

#include "carronade/histogram.h"
#include "carronade/run_result.h"
#include "stats/quantile_ci.h"

namespace carronade::dialects {

class LatencyBounds {
 public:
  // `shown` is result.latency or the service time; both must outlive this. Service times are
  // widened as the response times of the same requests are, which depend on each other no less.
  LatencyBounds(const RunResult& result, const Histogram& shown);

  // Nothing when n is too small for a bound.
  std::optional<stats::QuantileInterval> percentile(double percent) const;
  // Only of response times, whose intervals the result has.
  std::optional<stats::MeanInterval> mean() const;

 private:
  const Histogram& response_time_;
  const Histogram& shown_;
  std::vector<Interval> intervals_;
  stats::DesignEffect design_effect_;
};

}  // namespace carronade::dialects
