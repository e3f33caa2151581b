// What the kernel knows of the calling thread: the processor time it got, and how often and how
// long it had to wait for it.
#pragma once

#include <cstdint>

namespace carronade::load {

struct ThreadUsage {
  int64_t cpu_ns = 0;
  int64_t run_delay_ns = -1;          // ready to run, waiting for a core; -1: not told
  int64_t involuntary_switches = -1;  // -1: not told
};
ThreadUsage thread_usage();

}  // namespace carronade::load
