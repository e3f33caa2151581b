// A thread that sleeps until a time wakes up some microseconds after it. So it is woken a guard
// before the time and polls the rest; the guard follows the measured oversleep, and the share of
// time spent polling is bounded, so that a busy server leaves the processor to others. Pure
// arithmetic on given times. One thread.
#pragma once

#include <algorithm>
#include <cstdint>

namespace carronade::server {

class WakeGuard {
 public:
  static constexpr int64_t kGuardNsMin = 5'000;
  static constexpr int64_t kGuardNsMax = 100'000;
  static constexpr int64_t kPollShare = 4;  // one part in so many, in the long run
  static constexpr int64_t kBudgetNsMax = 2'000'000;

  int64_t guard_ns() const { return guard_ns_; }
  // What a timer should be set to for something due then; at least 1.
  int64_t timer_ns(int64_t due_ns) const {
    return std::max<int64_t>(due_ns - (budget_ns_ > 0 ? guard_ns_ : 0), 1);
  }
  // The thread slept until a timer and woke up so much after it. Few sleeps in a hundred should
  // be longer than the guard: it rises in larger steps than it falls.
  void overslept(int64_t late_ns) {
    guard_ns_ += late_ns > guard_ns_ ? kRiseNs : -kFallNs;
    guard_ns_ = std::clamp(guard_ns_, kGuardNsMin, kGuardNsMax);
  }
  // Whether to poll now, rather than sleep, for what is due then. Ask once a turn.
  bool polls(int64_t due_ns, int64_t now_ns) {
    const int64_t passed_ns = std::clamp<int64_t>(now_ns - asked_ns_, 0, kBudgetNsMax * kPollShare);
    asked_ns_ = now_ns;
    budget_ns_ += passed_ns / kPollShare - (polling_ ? passed_ns : 0);
    budget_ns_ = std::min(budget_ns_, kBudgetNsMax);
    polling_ = budget_ns_ > 0 && due_ns - now_ns <= guard_ns_;
    return polling_;
  }
  void stop_polling() { polling_ = false; }

 private:
  static constexpr int64_t kRiseNs = 4'000;
  static constexpr int64_t kFallNs = 500;
  int64_t guard_ns_ = 50'000;
  int64_t budget_ns_ = kBudgetNsMax;
  int64_t asked_ns_ = 0;
  bool polling_ = false;
};

}  // namespace carronade::server
