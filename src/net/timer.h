// A timerfd on CLOCK_MONOTONIC: makes a loop's descriptor readable at a time.
#pragma once

#include <cstdint>

#include "base/unique_fd.h"

namespace carronade::net {

class Timer {
 public:
  Timer();
  int fd() const { return fd_.get(); }
  // Fires once at the absolute time (a past time fires at once). Replaces the former time.
  void arm_at(int64_t when_ns);
  void disarm();
  void drain() const;

 private:
  base::UniqueFd fd_;
};

}  // namespace carronade::net
