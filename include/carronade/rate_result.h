// What a run found that concerns its schedule, and the parts that it was cut into by it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carronade/histogram.h"
#include "carronade/rate_spec.h"

namespace carronade {

// The requests that were due during one stage of the rate, whenever they were sent and ended.
struct StageResult {
  std::string name;
  int64_t start_ns = 0;  // from the start of the run
  int64_t width_ns = 0;  // as far as the run got
  uint64_t planned = 0;
  uint64_t sent = 0;
  uint64_t answered = 0;
  uint64_t failed = 0;   // errors and timeouts
  uint64_t dropped = 0;  // refused by the overflow policy, or never sent
  Histogram latency;
  Histogram service_time;
};

// What the schedule asked for and what became of it. Open loop only.
struct RateResult {
  // Requests that were due: sent = planned - dropped. `dropped` = refused + unsent.
  uint64_t planned = 0;
  uint64_t refused = 0;       // by the overflow policy: no connection was free
  uint64_t unsent = 0;        // still waiting for a connection when the run ended
  int64_t load_ns = 0;        // how long the schedule went on; draining comes after it
  uint64_t sent_in_time = 0;  // sent before load_ns was over

  // lateness = sent − due, in two parts, each with a sample for every request sent.
  Histogram generator_late;  // this program was slow
  Histogram no_connection;   // the server kept all connections busy
  // Gaps between neighbouring requests of a worker that did not wait for a connection.
  Histogram planned_gaps;
  Histogram sent_gaps;

  Histogram service_time;  // last byte − sent
  PaceMode pace = PaceMode::kHybrid;
  std::vector<StageResult> stages;  // empty when there is only one
};

// The beginning of a run that was found not to be steady. The main latency and service time, and
// RunResult::samples, leave it out.
struct WarmupResult {
  int64_t width_ns = 0;  // from the start of the run; 0: none was found
  bool settled = true;   // false: no steady rest was found, and nothing is left out
  uint64_t answered = 0;
  Histogram latency;
  Histogram service_time;  // open loop only
};

}  // namespace carronade
