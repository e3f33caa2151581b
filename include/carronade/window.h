// A run cut along its time.
#pragma once

#include <cstdint>
#include <string>

namespace carronade {

// One window of the run: `series` has one a second, `samples` one a sample interval. A window
// that the end of the run cut short is kept; width_ns tells.
struct Window {
  int64_t start_ns = 0;  // from the start of the run
  int64_t width_ns = 0;
  uint64_t planned = 0;  // due in it by the schedule; only in `series` of an open loop
  uint64_t sent = 0;
  uint64_t answered = 0;
  uint64_t errors = 0;   // all kinds, timeouts included
  uint64_t dropped = 0;  // due, and refused by the overflow policy
  uint64_t bytes_received = 0;
  uint64_t connections = 0;  // open at the end of the window
  // Of the answers in this window; -1 when there were none. Only in `series`.
  int64_t p50_ns = -1;
  int64_t p99_ns = -1;
};

// The latency of the answers that ended in [start_ns, start_ns + width_ns), in the coding of
// stats/histogram_codec.h. `intervals` has one after the other without a gap.
struct Interval {
  int64_t start_ns = 0;  // from the start of the run
  int64_t width_ns = 0;
  std::string latency;
  std::string service_time;  // the same of the service time; open loop only, else ""
};

}  // namespace carronade
