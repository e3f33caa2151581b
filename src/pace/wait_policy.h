// HOT. How long to sleep before a due time, and when to poll instead. The kernel wakes a sleeper
// late, and a hypervisor later still; the guard before the due time follows what was measured.
// Where cores are to spare a poll yields its core first, so that a server that shares it goes on,
// and polling lasts for as long as the guard asks; elsewhere it is bounded (polling.h). Pure
// arithmetic: no clock, no I/O. One thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "carronade/rate_spec.h"
#include "pace/polling.h"

namespace carronade::pace {

class WaitPolicy {
 public:
  // The guard before anything was measured, and its bounds: what oversleeps by more is a stall.
  static constexpr int64_t kGuardFirstNs = 2'000'000;
  static constexpr int64_t kGuardLeastNs = 5'000;
  static constexpr int64_t kGuardMostNs = 5'000'000;
  // Where polling is bounded: above it there is nothing to be mended at a bearable price.
  static constexpr int64_t kGuardMostBoundedNs = 200'000;

  // `spare`: as Polling takes it.
  WaitPolicy(PaceMode mode, int64_t start_ns, bool spare)
      : mode_(mode), polling_(start_ns, spare) {}

  // How long the loop may wait for sockets, ≥ 0, when the next thing is due at `due_ns`: 0 means
  // look and come back (polling).
  int64_t timeout_ns(int64_t now_ns, int64_t due_ns) const {
    if (due_ns <= now_ns || mode_ == PaceMode::kSpin) return 0;
    const int64_t left_ns = due_ns - now_ns;
    if (mode_ == PaceMode::kSleep) return left_ns;
    int64_t guard_ns = guard_ns_;
    if (polling_.bounded(now_ns)) {
      guard_ns = std::min({guard_ns_, polling_.allowance_ns(now_ns), kGuardMostBoundedNs});
    }
    return std::max<int64_t>(left_ns - guard_ns, 0);
  }

  // Whether a poll at `now_ns` has to let others go first (sched_yield).
  bool polite(int64_t now_ns) const {
    return mode_ == PaceMode::kHybrid && !polling_.bounded(now_ns);
  }

  // The wait for `timeout_ns` that began at `before_ns` was over at `now_ns` without an event.
  // The guard rises quickly and falls slowly, which keeps it above nearly all of the oversleep.
  void woke(int64_t before_ns, int64_t timeout_ns, int64_t now_ns) {
    const int64_t over_ns = std::clamp<int64_t>(now_ns - before_ns - timeout_ns, 0, kGuardMostNs);
    if (over_ns > guard_ns_) {
      guard_ns_ += (over_ns - guard_ns_ + 1) / 2;
    } else {
      lower_guard(over_ns);
    }
  }

  // A poll (timeout 0), with its yielding, began at `before_ns` and was over at `now_ns`; `idle`
  // when it found nothing.
  void polled(int64_t before_ns, int64_t now_ns, int64_t due_ns, bool idle) {
    // Where it polls all the time no sleep tells whether the guard is still needed.
    unslept_ns_ += polling_.add(before_ns, now_ns, due_ns, idle);
    if (unslept_ns_ < kUnsleptNs) return;
    unslept_ns_ = 0;
    lower_guard(0);
  }

  const Polling& polling() const { return polling_; }
  int64_t guard_ns() const { return guard_ns_; }

 private:
  static constexpr int64_t kUnsleptNs = 1'000'000;
  static constexpr int64_t kFallParts = 4096;

  void lower_guard(int64_t towards_ns) {
    guard_ns_ = std::max(guard_ns_ - (guard_ns_ - towards_ns) / kFallParts, kGuardLeastNs);
  }

  PaceMode mode_;
  Polling polling_;
  int64_t guard_ns_ = kGuardFirstNs;
  int64_t unslept_ns_ = 0;  // polled since the guard was last lowered for it
};

}  // namespace carronade::pace
