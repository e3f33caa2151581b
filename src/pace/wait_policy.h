// HOT. How long to sleep before a due time, and when to poll instead. The kernel wakes a sleeper
// late; the guard before the due time follows what was measured. Pure arithmetic: no clock, no
// I/O. One thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "carronade/rate_spec.h"

namespace carronade::pace {

class WaitPolicy {
 public:
  // kHybrid polls for at most this share of the time …
  static constexpr double kSpinShare = 0.15;
  // … and this much more, so that the first requests of a run are in time too.
  static constexpr int64_t kSpinCreditNs = 1'000'000;
  // The guard before anything was measured, and its bounds. A machine that oversleeps by more
  // is beyond what polling can mend at a bearable price.
  static constexpr int64_t kGuardFirstNs = 60'000;
  static constexpr int64_t kGuardLeastNs = 5'000;
  static constexpr int64_t kGuardMostNs = 200'000;

  WaitPolicy(PaceMode mode, int64_t start_ns) : mode_(mode), start_ns_(start_ns) {}

  // How long the loop may wait for sockets, ≥ 0, when the next thing is due at `due_ns`: 0 means
  // look and come back (polling).
  int64_t timeout_ns(int64_t now_ns, int64_t due_ns) const {
    if (due_ns <= now_ns || mode_ == PaceMode::kSpin) return 0;
    const int64_t left_ns = due_ns - now_ns;
    if (mode_ == PaceMode::kSleep || !may_spin(now_ns)) return left_ns;
    return std::max<int64_t>(left_ns - guard_ns_, 0);
  }

  // The wait for `timeout_ns` that began at `before_ns` was over at `now_ns` without an event.
  // The guard rises quickly and falls slowly, which keeps it near the 98th percentile of the
  // oversleep: one part in 65 above it balances the rest below it.
  void woke(int64_t before_ns, int64_t timeout_ns, int64_t now_ns) {
    const int64_t over_ns = std::clamp<int64_t>(now_ns - before_ns - timeout_ns, 0, kGuardMostNs);
    const int64_t difference_ns = over_ns - guard_ns_;
    guard_ns_ += difference_ns > 0 ? (difference_ns + 3) / 4 : difference_ns / 256;
    guard_ns_ = std::clamp(guard_ns_, kGuardLeastNs, kGuardMostNs);
  }

  // A poll (timeout 0) that began at `before_ns` found nothing.
  void spun(int64_t before_ns, int64_t now_ns) { spin_ns_ += now_ns - before_ns; }

  int64_t spin_ns() const { return spin_ns_; }
  int64_t guard_ns() const { return guard_ns_; }

 private:
  bool may_spin(int64_t now_ns) const {
    const auto elapsed_ns = static_cast<double>(now_ns - start_ns_);
    return static_cast<double>(spin_ns_ - kSpinCreditNs) <= kSpinShare * elapsed_ns;
  }

  PaceMode mode_;
  int64_t start_ns_;
  int64_t guard_ns_ = kGuardFirstNs;
  int64_t spin_ns_ = 0;
};

}  // namespace carronade::pace
