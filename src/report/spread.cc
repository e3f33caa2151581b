#include "report/spread.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace carronade::report {
namespace {

double count_of(const Window& window, Counted what) {
  return static_cast<double>(what == Counted::kAnswers ? window.answered : window.bytes_received);
}

}  // namespace

double Spread::mean() const {
  if (empty()) return 0;
  return std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(size());
}

double Spread::stddev() const {
  if (empty()) return 0;
  const double centre = mean();
  double squares = 0;
  for (const double count : counts) squares += (count - centre) * (count - centre);
  return std::sqrt(squares / static_cast<double>(size()));
}

double Spread::percentile(double percent) const {
  if (empty()) return 0;
  const double rank = std::ceil(static_cast<double>(size()) * percent / 100);
  const double last = static_cast<double>(size());
  return counts[static_cast<size_t>(std::clamp(rank, 1.0, last)) - 1];
}

double Spread::per_second(double count) const {
  return window_ns > 0 ? count * 1e9 / static_cast<double>(window_ns) : 0;
}

Spread window_spread(const RunResult& result, Counted what) {
  Spread spread;
  spread.window_ns = result.sample_interval_ns;
  for (const Window& window : result.samples) {
    if (window.width_ns >= spread.window_ns) spread.counts.push_back(count_of(window, what));
  }
  if (spread.empty() && !result.samples.empty() && result.samples.front().width_ns > 0) {
    const Window& only = result.samples.front();
    spread.cut = true;
    spread.counts.push_back(count_of(only, what) * static_cast<double>(spread.window_ns) /
                            static_cast<double>(only.width_ns));
  }
  std::sort(spread.counts.begin(), spread.counts.end());
  return spread;
}

}  // namespace carronade::report
