// Where a run becomes steady, and whether it stays so. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "carronade/run_result.h"

namespace carronade::stats {

// MSER-5 (White, Cobb and Spratt 2000): the number of leading observations to leave out, a
// multiple of 5, so that the standard error of the mean of the rest is least; 0 when they do not
// differ from the rest by more than chance, and below 30 observations. `settled` is false when a
// cut in the second half is clearly better: then nothing is left out.
struct Cut {
  size_t observations = 0;
  bool settled = true;
};
Cut mser5(const std::vector<double>& series);

// A series that has a trend (Theil–Sen slope, by Kendall's test) or that wanders (runs test about
// the median), both at 1 %. Too short a series (< 10) is steady.
struct Steadiness {
  bool trend = false;
  bool wanders = false;
  double change = 0;  // of the fitted line over the series, as a share of its median
};
Steadiness steadiness(const std::vector<double>& series);

// Finds the warm-up of a run on its intervals' medians and rates, and moves it from
// result.latency and rate->service_time to result.warmup, and out of samples; series and intervals
// keep it (RunResult::warmup says where it ends), and so do all counts, and the
// other histograms, stay those of the whole run. Once.
void set_warmup_apart(RunResult& result);

}  // namespace carronade::stats
