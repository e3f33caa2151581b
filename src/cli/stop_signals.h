// SIGINT and SIGTERM while a run goes on: the first one asks for the end, the second one quits
// the process at once, unless a Hold lives. The signals are blocked and read by a thread of this
// object, so that what they cause may be any code; threads started meanwhile inherit the block.
#pragma once

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "base/unique_fd.h"

namespace carronade::cli {

class StopSignals {
 public:
  // From the main thread, before other threads start. Where the system has no room for the
  // thread or its descriptors, the signals keep their usual effect.
  StopSignals();
  // Puts back the signal mask that it found.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // `stop` is called on the first signal, at once if that has come already, from the thread of
  // this object or the caller's. nullptr forgets it; after that it is not running any more.
  void watch(std::function<void()> stop);

  // watch() for as long as it lives: what `stop` refers to may end by an exception too.
  class Watch {
   public:
    Watch(StopSignals& signals, std::function<void()> stop) : signals_(signals) {
      signals_.watch(std::move(stop));
    }
    ~Watch() { signals_.watch(nullptr); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    StopSignals& signals_;
  };

  // While one lives, no signal quits the process: count() tells of them. For an end that has a
  // result to show still. One at a time.
  class Hold {
   public:
    explicit Hold(StopSignals& signals) : signals_(signals) { signals_.held_.store(true); }
    ~Hold() { signals_.held_.store(false); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    StopSignals& signals_;
  };

  // Waits for the first signal, at most `span_ns`. Whether it has come.
  bool wait(int64_t span_ns);

  // The first signal, 0 for none yet.
  int received() const { return received_.load(); }
  // How many have come.
  int count() const { return count_.load(); }

 private:
  void listen();

  sigset_t old_mask_{};
  base::UniqueFd signals_;
  base::UniqueFd quit_;
  std::atomic<int> received_{0};
  std::atomic<int> count_{0};
  std::atomic<bool> held_{false};
  std::mutex mutex_;  // guards stop_ and its call, and what wait() waits for
  std::condition_variable came_;
  std::function<void()> stop_;
  std::thread thread_;
};

}  // namespace carronade::cli
