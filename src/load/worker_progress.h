// What a running worker shows to the thread that waits for it: a snapshot of its counters, and
// a mailbox for what is rare. Written by the worker ten times a second, read by one other
// thread; each side may call at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "load/worker_state.h"

namespace carronade::load {

class WorkerProgress {
 public:
  struct Counters {
    uint64_t sent = 0;
    uint64_t answered = 0;
    uint64_t errors = 0;
    uint64_t bytes_received = 0;
    uint64_t open = 0;
  };
  struct Mail {
    std::vector<ErrorCount> fresh_errors;  // growth since the last mail
    std::optional<ExchangeCapture> exchange;
  };

  // Worker's side.
  void publish(WorkerState& worker);

  // Reader's side.
  Counters counters() const;
  Mail take_mail();

 private:
  void add_fresh(const ErrorCount& error, uint64_t growth);  // with mutex_ held

  // A line of its own: the reader must not slow the worker's counters beside it.
  struct alignas(64) Snapshot {
    std::atomic<uint64_t> sent{0};
    std::atomic<uint64_t> answered{0};
    std::atomic<uint64_t> errors{0};
    std::atomic<uint64_t> bytes_received{0};
    std::atomic<uint64_t> open{0};
  };
  Snapshot snapshot_;
  std::vector<uint64_t> errors_told_;  // worker's side: count per row of recorder.errors()
  bool exchange_told_ = false;
  std::mutex mutex_;
  Mail mail_;  // guarded by mutex_
};

}  // namespace carronade::load
