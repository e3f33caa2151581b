// One worker: a loop, its connections, its recorder. It shares nothing with other workers but
// RunSignals. open() and turn() from one thread; progress() from any; state() when it is done.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carronade/health.h"
#include "load/fleet.h"
#include "load/run_signals.h"
#include "load/thread_usage.h"
#include "load/worker_progress.h"
#include "load/worker_state.h"
#include "net/timer.h"
#include "net/wakeup.h"
#include "pace/wait_policy.h"

namespace carronade::load {

class Worker {
 public:
  // Adds its wake-up to `signals`. `plan` and `signals` must outlive the worker.
  Worker(const WorkerPlan& plan, RunSignals& signals,
         std::unique_ptr<RequestSource> source = nullptr);

  // Begins to connect. `start_ns`: the start of the run, the same for all workers. An open loop
  // sends nothing before RunSignals::start_ns(), when all workers have their connections.
  void open(int64_t start_ns);
  // Waits for something to do (or, with block = false, only looks) and does it. False once the
  // worker is done: its budget is used up, its time is over, or the run was stopped.
  bool turn(bool block);
  // Becomes readable when turn(false) would do something.
  int poll_fd() const { return state_.loop.poll_fd(); }
  // What it has open before open(), beside RunSignals::descriptors(); the rest it opens and closes
  // on its own thread.
  std::vector<int> descriptors() const { return {poll_fd(), timer_.fd()}; }

  // Closes the slot's connection for good in one of the next turns. On the worker's thread.
  void destroy(uint32_t slot);

  bool done() const { return done_; }
  WorkerProgress& progress() { return progress_; }

  // When done.
  const WorkerState& state() const { return state_; }
  uint64_t in_flight() const { return in_flight_; }  // sent and not ended
  bool gave_up() const { return fleet_.gave_up(); }  // nobody could be reached any more
  int64_t end_ns() const { return end_ns_; }
  const WorkerHealth& health() const { return health_; }

 private:
  std::span<const net::Loop::Event> wait(bool block);
  void begin_load(int64_t start_ns);
  void pass_gate();
  bool send_due();
  void on_timer();
  void change_level(int64_t now_ns);
  void arm_timer(bool block);
  bool drained() const;
  void finish(bool may_wait);

  WorkerState state_;
  Fleet fleet_;
  net::Timer timer_;
  net::Wakeup wakeup_;
  WorkerProgress progress_;
  int64_t sweep_period_ns_;
  int64_t next_sweep_ns_ = 0;
  int64_t armed_for_ns_ = 0;
  std::optional<int64_t> deadline_ns_;  // of an open loop: of the answers, after its end
  bool overdue_ = false;                // an open loop's deadline has passed
  int64_t gate_deadline_ns_ = 0;        // when connections not made yet are not waited for
  bool ready_ = false;
  int64_t next_level_ns_ = INT64_MAX;  // when the number of busy connections changes
  pace::WaitPolicy waits_;
  int64_t turn_start_ns_ = 0;

  ThreadUsage usage_at_start_;
  int64_t start_ns_ = 0;
  WorkerHealth health_;
  bool done_ = false;
  uint64_t in_flight_ = 0;
  int64_t end_ns_ = 0;
};

}  // namespace carronade::load
