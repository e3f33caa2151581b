// HOT. What one worker counts for the line every five seconds; another thread reads it meanwhile.
#pragma once

#include <atomic>
#include <cstdint>

namespace carronade::dialects::loadtest {

// Sums since the start of the run.
struct LoadtestCounts {
  uint64_t answered = 0;
  uint64_t errors = 0;     // statuses from 400 on, and requests that got no answer
  uint64_t lost = 0;       // of the errors, those without an answer
  int64_t latency_ns = 0;  // of the answered, added up

  uint64_t requests() const { return answered + lost; }
};

// One writer; a cache line of its own.
class alignas(64) LoadtestTally {
 public:
  void add_answer(bool error, int64_t latency_ns) {
    add<uint64_t>(answered_, 1);
    add(latency_ns_, latency_ns);
    if (error) add<uint64_t>(errors_, 1);
  }
  void add_lost(uint64_t requests) {
    add(lost_, requests);
    add(errors_, requests);
  }

  // From any thread. The figures are of about the same moment.
  void add_to(LoadtestCounts& sum) const {
    sum.answered += answered_.load(std::memory_order_relaxed);
    sum.errors += errors_.load(std::memory_order_relaxed);
    sum.lost += lost_.load(std::memory_order_relaxed);
    sum.latency_ns += latency_ns_.load(std::memory_order_relaxed);
  }

 private:
  template <class Number>
  static void add(std::atomic<Number>& sum, Number number) {
    sum.store(sum.load(std::memory_order_relaxed) + number, std::memory_order_relaxed);
  }

  std::atomic<uint64_t> answered_{0};
  std::atomic<uint64_t> errors_{0};
  std::atomic<uint64_t> lost_{0};
  std::atomic<int64_t> latency_ns_{0};
};

}  // namespace carronade::dialects::loadtest
