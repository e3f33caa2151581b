// The figures of a run in wrk's own terms, for its report and for a script's done().
#pragma once

#include <cstdint>
#include <vector>

#include "carronade/histogram.h"
#include "carronade/run_result.h"
#include "script/script.h"
#include "script/script_stats.h"

namespace carronade::dialects::wrk {

// One row of the statistics.
struct WrkRow {
  double mean = 0;
  double stdev = 0;  // of a sample (n − 1)
  double max = 0;
  double within =
      0;  // percent of the samples at most one stdev from the mean; NaN without any answer
};

// Microseconds. The first is exact; of the second the share within is.
WrkRow latency_row(const Histogram& latency);
WrkRow stats_row(const script::ScriptStats& stats);

// Requests per second of one thread, the mean over the threads, in each whole window of the run.
// `skip_empty`: leave out the windows in which nothing was answered, as wrk does.
std::vector<double> thread_rates(const RunResult& result, uint32_t threads, bool skip_empty);
WrkRow rate_row(const std::vector<double>& rates);

// What wrk prints about errors: its four kinds and status codes above 399.
script::ScriptSummary summary_of(const RunResult& result);

script::ScriptStats latency_stats(const Histogram& latency);
script::ScriptStats rate_stats(const std::vector<double>& rates);

// wrk's correction of latencies that were taken in a closed loop: for each value v of at least
// twice the interval I between the requests of a connection it adds v − I, v − 2I … above I.
script::ScriptStats corrected(const script::ScriptStats& latency, double interval_us);

}  // namespace carronade::dialects::wrk
