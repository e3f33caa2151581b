// How requests and bytes were spread over the windows of a run: what the Req/Sec and Bytes/Sec
// tables show.
//
// Only windows of full width count. The end of a run cuts its last window short; its count says
// nothing about a full window and is left out. A run shorter than one window has only the cut
// one: then its count is scaled up to a full window, and `cut` is set so that the report can
// say so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "carronade/run_result.h"

namespace carronade::report {

enum class Counted : uint8_t { kAnswers, kBytesReceived };

struct Spread {
  std::vector<double> counts;  // one a window, ascending; exact but where `cut`
  int64_t window_ns = 0;       // the width that the counts belong to
  bool cut = false;            // one window, scaled from the shorter run

  size_t size() const { return counts.size(); }
  bool empty() const { return counts.empty(); }
  // All of them 0 when empty: callers print n/a.
  double min() const { return empty() ? 0 : counts.front(); }
  double max() const { return empty() ? 0 : counts.back(); }
  double mean() const;
  double stddev() const;  // of the population
  // Nearest rank: the count with rank ceil(n * percent / 100), at least 1. `percent` in 0 … 100.
  double percentile(double percent) const;
  // A count of one window as a rate per second.
  double per_second(double count) const;
};

// From `result.samples`.
Spread window_spread(const RunResult& result, Counted what);

}  // namespace carronade::report
