// SIGINT and SIGTERM while a run goes on: the first one asks for the end, the second one quits
// the process at once. The signals are blocked and read by a thread of this object, so that what
// they cause may be any code; threads started meanwhile inherit the block.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

#include "base/unique_fd.h"

namespace carronade::cli {

class StopSignals {
 public:
  // From the main thread, before other threads start.
  StopSignals();
  // Puts back the signal mask that it found.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // `stop` is called on the first signal, at once if that has come already, from the thread of
  // this object or the caller's. nullptr forgets it; after that it is not running any more.
  void watch(std::function<void()> stop);

  // The first signal, 0 for none yet.
  int received() const { return received_.load(); }

 private:
  void listen();

  sigset_t old_mask_{};
  base::UniqueFd signals_;
  base::UniqueFd quit_;
  std::atomic<int> received_{0};
  std::mutex mutex_;  // guards stop_ and its call
  std::function<void()> stop_;
  std::thread thread_;
};

}  // namespace carronade::cli
