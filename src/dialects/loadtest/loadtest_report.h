// loadtest's report of a run, and its line every five seconds. Facts in, text out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carronade/histogram.h"
#include "carronade/run_result.h"
#include "dialects/loadtest/loadtest_settings.h"
#include "dialects/loadtest/loadtest_tally.h"

namespace carronade::dialects::loadtest {

struct LoadtestReport {
  std::string url;
  std::optional<uint64_t> max_requests;
  std::optional<double> max_seconds;
  std::optional<double> requests_per_second;
  uint64_t clients = 0;
  uint64_t cores = 1;
  std::string agent;  // "none", "keepalive", "tcp"

  uint64_t completed = 0;  // answers of any status, and requests that got none
  int64_t elapsed_ns = 0;
  Histogram latency;  // of the answers
  // Failed requests: by status, ascending, then "-1" for those without an answer.
  std::vector<std::pair<std::string, uint64_t>> error_codes;
};

// Requests in flight when the run ended are in none of the figures.
LoadtestReport make_loadtest_report(const LoadtestSettings& settings, const RunResult& result);

// The report behind an empty line.
std::string loadtest_report_text(const LoadtestReport& report);

// What the report has no place for, one line each: the most frequent errors, requests that were
// due and never sent, those that had no answer yet when the run ended, when they are more than 1 %
// of the others, those sent again, and how to trust a certificate that was refused.
std::vector<std::string> loadtest_notes(const RunResult& result);

// "Requests: 9546 (95%), requests per second: 1000, mean latency: 0.8 ms", and a second line when
// there were errors. `before` and `span_ns`: of the line before, and since then (> 0).
std::string loadtest_progress_text(const LoadtestCounts& now, const LoadtestCounts& before,
                                   int64_t span_ns, std::optional<uint64_t> max_requests);

}  // namespace carronade::dialects::loadtest
