#include "dialects/carronade/latency_bounds.h"

#include <algorithm>

#include "report/interval_text.h"
#include "stats/histogram_codec.h"

namespace carronade::dialects {

LatencyBounds::LatencyBounds(const RunResult& result, const Histogram& shown)
    : response_time_(result.latency),
      shown_(shown),
      intervals_(report::measured_intervals(result)),
      design_effect_(intervals_) {}

std::optional<stats::QuantileInterval> LatencyBounds::percentile(double percent) const {
  if (shown_.empty()) return std::nullopt;
  const double effect = design_effect_.at(response_time_.percentile(percent));
  return stats::quantile_interval(shown_, percent, effect);
}

// The mean is a ratio, of the sum of the latencies to their number, and both vary from window to
// window: its spread is that of the windows' residuals (a linearised ratio estimator).
std::optional<stats::MeanInterval> LatencyBounds::mean() const {
  if (&shown_ != &response_time_ || shown_.empty() || intervals_.empty()) return std::nullopt;
  const double mean = shown_.mean();
  const double per_window =
      static_cast<double>(shown_.count()) / static_cast<double>(intervals_.size());
  std::vector<double> series;
  for (const Interval& interval : intervals_) {
    Histogram window;
    if (!stats::decode_histogram(interval.latency, window)) return std::nullopt;
    const double residual = window.sum() - mean * static_cast<double>(window.count());
    series.push_back(mean + residual / per_window);
  }
  std::optional<stats::MeanInterval> bounds = stats::mean_interval(series);
  if (bounds) bounds->low = std::max(bounds->low, static_cast<double>(shown_.min()));
  return bounds;
}

}  // namespace carronade::dialects
