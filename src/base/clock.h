// HOT. The two clocks of the program, in int64 nanoseconds.
#pragma once

#include <cstdint>
#include <ctime>

namespace carronade::base {

// CLOCK_MONOTONIC through the vDSO.
inline int64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * int64_t{1'000'000'000} + t.tv_nsec;
}

// Wall clock, for the report only.
inline int64_t unix_now_ns() {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * int64_t{1'000'000'000} + t.tv_nsec;
}

}  // namespace carronade::base
