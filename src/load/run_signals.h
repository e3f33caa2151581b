// The only state that the threads of one run share while it goes on: when its schedule begins,
// who asked it to stop, and how many failures there were, for bail-out. Touched when something
// begins, fails or ends, never on the hot path (a worker reads the flag once a turn).
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "carronade/run_result.h"
#include "net/wakeup.h"

namespace carronade::load {

class RunSignals {
 public:
  explicit RunSignals(size_t workers_max) : wakeups_(workers_max) {}

  // Before the worker's thread starts: its wake-up, which must outlive this. One thread adds; a
  // stop() that comes at the same time is seen by the worker's first look at the flag.
  void add(const net::Wakeup* wakeup) {
    const size_t count = wakeup_count_.load();
    wakeups_.at(count) = wakeup;
    wakeup_count_.store(count + 1);
  }

  // What a worker's thread writes to when it wakes the others: descriptors of all added so far.
  std::vector<int> descriptors() const {
    std::vector<int> all;
    for (size_t i = 0; i < wakeup_count_.load(); ++i) all.push_back(wakeups_[i]->fd());
    return all;
  }

  // Open loop: a worker has made its connections. The last one to say so fixes when the schedule
  // begins, for all of them: start_ns() is 0 until then.
  void ready() {
    if (ready_.fetch_add(1) + 1 < wakeup_count_.load()) return;
    start_ns_.store(base::now_ns() + kStartDelayNs);
    wake_all();
  }
  int64_t start_ns() const { return start_ns_.load(std::memory_order_acquire); }

  // Ends the run; the first reason given stands. Any thread, async-signal-safe.
  void stop(StoppedBy why) {
    int none = kNone;
    reason_.compare_exchange_strong(none, static_cast<int>(why));
    stopping_.store(true, std::memory_order_release);
    wake_all();
  }
  bool stopping() const { return stopping_.load(std::memory_order_acquire); }
  const std::atomic<bool>& stop_flag() const { return stopping_; }
  std::optional<StoppedBy> reason() const {
    const int reason = reason_.load();
    if (reason == kNone) return std::nullopt;
    return static_cast<StoppedBy>(reason);
  }

  // Counts failures and mismatches; ends the run when they reach `bailout`.
  void failed(uint64_t count, std::optional<uint64_t> bailout) {
    const uint64_t total = failures_.fetch_add(count, std::memory_order_relaxed) + count;
    if (bailout && total >= *bailout) stop(StoppedBy::kBailout);
  }

 private:
  static constexpr int kNone = -1;
  static constexpr int64_t kStartDelayNs = 1'000'000;  // for all workers to wake up

  void wake_all() {
    for (size_t i = 0; i < wakeup_count_.load(); ++i) wakeups_[i]->notify();
  }

  std::vector<const net::Wakeup*> wakeups_;
  std::atomic<size_t> wakeup_count_{0};
  std::atomic<size_t> ready_{0};
  std::atomic<int64_t> start_ns_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<int> reason_{kNone};
  std::atomic<uint64_t> failures_{0};
};

}  // namespace carronade::load
