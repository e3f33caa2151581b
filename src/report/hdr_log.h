// The latencies of a run as files that the tools of HdrHistogram read: the interval log
// (HistogramLogReader, HdrHistogram's plotters) and the percentile table (.hgrm).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "carronade/histogram.h"
#include "carronade/run_result.h"

namespace carronade::report {

// The interval log, format version 1.3: one line a second (a longer interval of the result has
// one line too), each with a histogram of response times in ns; Interval_Max is in ms. Times are
// seconds since the start, which stands in the head. A line never mixes two phases: those of a
// warm-up have Tag=warmup, and where the rate had several stages those of stage 2, "1m at 9/s",
// have Tag=2:1m_at_9/s. `warmup_run`, when not null, is a run of its own that came before.
std::string hdr_log_text(const RunResult& result, const RunResult* warmup_run = nullptr);

// One row of HdrHistogram's percentile table: `percent` of all values (those seen so far are
// `count` of them) are `value_ns` or less.
struct PercentileRow {
  int64_t value_ns = 0;
  double percent = 0;  // the last row has 100
  uint64_t count = 0;
};
// Calls `row` for each, 5 for each halving of the distance to 100 %; not at all for an empty one.
void each_percentile_row(const Histogram& histogram,
                         const std::function<void(const PercentileRow&)>& row);

// The table Value (ms), Percentile, TotalCount, 1/(1-Percentile) with 5 rows for each halving of
// the distance to 100 %. Mean, deviation and maximum are the exact ones, not those of buckets.
std::string hgrm_text(const Histogram& histogram);

}  // namespace carronade::report
