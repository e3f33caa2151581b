// How sure a figure is, in the words of the text reports. Facts in, text out.
#pragma once

#include <string>
#include <vector>

#include "carronade/histogram.h"
#include "carronade/run_result.h"

namespace carronade::report {

// The 95 % interval of a percentile of times, "1.20 ms … 1.31 ms"; "n too small" when there are
// too few samples for one. `design_effect` ≥ 1, see stats/quantile_ci.h.
std::string ci_text(const Histogram& histogram, double percent, double design_effect);

// The 95 % interval of the mean of counts, one a second: "9,870 … 10,020"; "n too small" for too
// few seconds.
std::string rate_ci_text(const std::vector<double>& per_second);

// The intervals that result.latency is made of: all but those of a warm-up that was set apart.
std::vector<Interval> measured_intervals(const RunResult& result);

}  // namespace carronade::report
