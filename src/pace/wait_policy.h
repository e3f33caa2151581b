// HOT. How long to sleep before a due time, and when to poll instead. The kernel wakes a sleeper
// late, and a hypervisor later still; the guard before the due time follows what was measured.
// A polite poll yields the core first and so takes nothing from a server that shares it: it may go
// on for as long as the guard asks. Beside somebody who never lets go of the core, which shows in
// how long polls take, polling is kept to a share of the time instead. Pure arithmetic: no clock,
// no I/O. One thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "carronade/rate_spec.h"

namespace carronade::pace {

class WaitPolicy {
 public:
  // On a crowded core kHybrid polls for at most this share of the time …
  static constexpr double kSpinShare = 0.15;
  // … and this much more, so that the first requests are in time too.
  static constexpr int64_t kSpinCreditNs = 1'000'000;
  // The guard before anything was measured, and its bounds: what oversleeps by more is a stall.
  static constexpr int64_t kGuardFirstNs = 2'000'000;
  static constexpr int64_t kGuardLeastNs = 5'000;
  static constexpr int64_t kGuardMostNs = 5'000'000;
  // What a poll takes beyond this somebody else had the core for, be it another virtual machine.
  static constexpr int64_t kPollMostNs = 200'000;
  // The core is crowded when more than this share of the time of polling went so …
  static constexpr double kCrowdedShare = 0.25;
  static constexpr int64_t kCrowdWindowNs = 200'000'000;
  // … and is taken to be so for this long; twice as long each time it proves to be.
  static constexpr int64_t kCrowdedFirstNs = 1'000'000'000;
  static constexpr int64_t kCrowdedMostNs = 64'000'000'000;

  WaitPolicy(PaceMode mode, int64_t start_ns) : mode_(mode), crowded_until_ns_(start_ns) {}

  // How long the loop may wait for sockets, ≥ 0, when the next thing is due at `due_ns`: 0 means
  // look and come back (polling).
  int64_t timeout_ns(int64_t now_ns, int64_t due_ns) const {
    if (due_ns <= now_ns || mode_ == PaceMode::kSpin) return 0;
    const int64_t left_ns = due_ns - now_ns;
    if (mode_ == PaceMode::kSleep || !may_spin(now_ns)) return left_ns;
    return std::max<int64_t>(left_ns - guard_ns_, 0);
  }

  // Whether a poll at `now_ns` has to let others go first (sched_yield).
  bool polite(int64_t now_ns) const { return mode_ == PaceMode::kHybrid && !crowded(now_ns); }

  // The wait for `timeout_ns` that began at `before_ns` was over at `now_ns` without an event.
  // The guard rises quickly and falls slowly, which keeps it above all but some of the oversleep:
  // one part in 257 above it balances the rest below it.
  void woke(int64_t before_ns, int64_t timeout_ns, int64_t now_ns) {
    const int64_t over_ns = std::clamp<int64_t>(now_ns - before_ns - timeout_ns, 0, kGuardMostNs);
    if (over_ns > guard_ns_) {
      guard_ns_ = std::min(guard_ns_ + (over_ns - guard_ns_ + 1) / 2, kGuardMostNs);
    } else {
      lower_guard(over_ns);
    }
  }

  // A poll (timeout 0), with its yielding, that began at `before_ns` was over at `now_ns`; `idle`
  // when it found nothing.
  void polled(int64_t before_ns, int64_t now_ns, bool idle) {
    const int64_t took_ns = now_ns - before_ns;
    const int64_t lost_ns = std::max<int64_t>(took_ns - kPollMostNs, 0);
    if (idle) spin_ns_ += took_ns - lost_ns;
    polled_ns_ += took_ns;
    lost_ns_ += lost_ns;
    if (polled_ns_ >= kCrowdWindowNs) end_window(now_ns);
    // Where it polls all the time no sleep tells whether the guard is still needed.
    unslept_ns_ += took_ns - lost_ns;
    if (unslept_ns_ < kUnsleptNs) return;
    unslept_ns_ = 0;
    lower_guard(0);
  }

  int64_t spin_ns() const { return spin_ns_; }
  int64_t guard_ns() const { return guard_ns_; }
  bool crowded(int64_t now_ns) const { return now_ns < crowded_until_ns_; }

 private:
  static constexpr int64_t kUnsleptNs = 1'000'000;

  void lower_guard(int64_t towards_ns) {
    guard_ns_ = std::max(guard_ns_ - (guard_ns_ - towards_ns) / 4096, kGuardLeastNs);
  }

  void end_window(int64_t now_ns) {
    if (static_cast<double>(lost_ns_) > kCrowdedShare * static_cast<double>(polled_ns_) &&
        !crowded(now_ns)) {
      crowded_since_ns_ = now_ns;
      spin_before_ns_ = spin_ns_;
      crowded_until_ns_ = now_ns + crowded_for_ns_;
      crowded_for_ns_ = std::min(2 * crowded_for_ns_, kCrowdedMostNs);
    }
    polled_ns_ = lost_ns_ = 0;
  }

  bool may_spin(int64_t now_ns) const {
    if (!crowded(now_ns)) return true;
    const auto elapsed_ns = static_cast<double>(now_ns - crowded_since_ns_);
    const int64_t spun_ns = spin_ns_ - spin_before_ns_ - kSpinCreditNs;
    return static_cast<double>(spun_ns) <= kSpinShare * elapsed_ns;
  }

  PaceMode mode_;
  int64_t guard_ns_ = kGuardFirstNs;
  int64_t spin_ns_ = 0;     // polled in vain
  int64_t unslept_ns_ = 0;  // polled since the guard was last lowered for it

  int64_t polled_ns_ = 0;  // in this window
  int64_t lost_ns_ = 0;    // of it, to others
  int64_t crowded_until_ns_;
  int64_t crowded_since_ns_ = 0;
  int64_t spin_before_ns_ = 0;
  int64_t crowded_for_ns_ = kCrowdedFirstNs;
};

}  // namespace carronade::pace
