// What a run noticed about this program and this machine while it measured: what a verdict
// (verdict.h) is drawn from. Passive; -1 means that the system did not tell.
#pragma once

#include <cstdint>
#include <string>

#include "carronade/histogram.h"

namespace carronade {

// One worker thread, from the start of the run to its end.
struct WorkerHealth {
  int64_t wall_ns = 0;
  int64_t cpu_ns = 0;
  int64_t spin_ns = 0;  // of cpu_ns, spent polling until the next due time
  // Ready to run, but waiting for a core; what polling gave away before the due time left out, of
  // the switches too.
  int64_t run_delay_ns = -1;
  int64_t involuntary_switches = -1;  // taken off its core while it had work
  Histogram turns;                    // length of each turn of its loop, waiting left out
};

// The machine, over the same time.
struct HostHealth {
  int64_t steal_ns = -1;       // of all cores, taken by the hypervisor
  int64_t throttled_ns = -1;   // of our cgroup, by its CPU quota
  int64_t retransmits = -1;    // TCP segments sent again, by anybody on this machine
  int64_t segments_sent = -1;  // TCP segments sent, by anybody
  int64_t cores = 0;           // that this process may use
  int64_t descriptors = 0;     // most that were open at once, about
  int64_t descriptor_limit = 0;
  int64_t local_ports = -1;  // range of local ports per source and destination
};

}  // namespace carronade
