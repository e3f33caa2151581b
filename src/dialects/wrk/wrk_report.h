// What wrk and wrk2 print about a run, from its result alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "carronade/histogram.h"
#include "carronade/run_result.h"
#include "dialects/wrk/wrk_stats.h"
#include "script/script.h"

namespace carronade::dialects::wrk {

struct WrkReportOptions {
  std::string url{};  // as given
  uint32_t threads = 2;
  uint64_t connections = 10;
  uint64_t duration_s = 10;
  bool latency = false;       // wrk: percentiles; wrk2: the spectrum
  bool service_time = false;  // wrk2: the spectrum from the sending of each request
  bool wrk2 = false;
  // As wrk: made-up latencies for those that it may have missed, windows without an answer left
  // out, `-nan` for what has no value.
  bool quirks = false;
};

// "Running 30s test @ URL" and the line below.
std::string wrk_heading(const WrkReportOptions& options);

// All that follows when the run is over.
std::string wrk_report(const RunResult& result, const WrkReportOptions& options);

// What done() gets.
struct WrkDone {
  script::ScriptSummary summary{};
  script::ScriptStats latency{};   // µs
  script::ScriptStats requests{};  // a second, of one thread
};
WrkDone done_objects(const RunResult& result, const WrkReportOptions& options);

// wrk2's block of percentiles and the spectrum of a histogram in ns, under "(HdrHistogram - name)".
std::string spectrum_text(const Histogram& histogram, const std::string& name);

}  // namespace carronade::dialects::wrk
