// What the user of the library hears while a run goes on. All calls come from the thread that
// waits in Run::wait or turns the run, never from a worker thread; calls never overlap.
#pragma once

#include <cstdint>
#include <string_view>

#include "carronade/run_result.h"

namespace carronade {

// Totals so far. Each figure is exact for some instant of the last 100 ms.
struct Progress {
  int64_t elapsed_ns = 0;
  uint64_t sent = 0;
  uint64_t answered = 0;
  uint64_t errors = 0;  // timeouts included
  uint64_t bytes_received = 0;
  uint64_t connections = 0;  // open now
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Ten times a second.
  virtual void on_progress(const Progress&) {}
  // New kinds of error, or known ones that grew, since the last call: `fresh` has the growth.
  virtual void on_errors(const ErrorCount& fresh) { (void)fresh; }
  // Once, with RunSpec::capture_exchange: the first request and its answer as they were on the
  // wire (the answer cut at 64 KiB).
  virtual void on_exchange(std::string_view request, std::string_view response) {
    (void)request, (void)response;
  }
};

}  // namespace carronade
