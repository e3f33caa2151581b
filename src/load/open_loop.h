// HOT. The side of a worker that a closed loop does not have: which requests are due, those that
// wait for a connection, the connections that wait for a request, and what was recorded of them.
// One thread.
#pragma once

#include <cstdint>
#include <memory>

#include "load/load_plan.h"
#include "load/ring.h"
#include "pace/schedule.h"
#include "stats/recorder.h"
#include "stats/schedule_recorder.h"

namespace carronade::load {

// A request that is due.
struct Arrival {
  int64_t due_ns = 0;   // on the clock
  int64_t seen_ns = 0;  // when the worker came to it
};

class OpenLoop {
 public:
  explicit OpenLoop(const WorkerPlan& plan);

  // Fixes when the schedule begins, on the clock.
  void start(int64_t start_ns);
  bool started() const { return started_; }
  // On the clock: when the load is over, when the next request is due (INT64_MAX: never).
  int64_t load_end_ns() const { return start_ns_ + load_ns_; }
  int64_t next_due_ns() const { return next_due_ns_; }
  // No request will become due any more, and none waits for a connection.
  bool over() const { return started_ && next_due_ns_ == INT64_MAX && waiting_.empty(); }

  // Puts what is due by now into the line for a connection, kAtOnce of it at most; what is too
  // much for the line is refused.
  static constexpr int kAtOnce = 4096;
  void collect(int64_t now_ns, stats::Recorder& recorder);
  // At the end: counts all that was due while the load went on.
  void collect_rest(int64_t now_ns, stats::Recorder& recorder);
  bool has_waiting() const { return !waiting_.empty(); }
  size_t waiting() const { return waiting_.size(); }
  // Refuses the youngest in the line, until at most `room` are left.
  void refuse_beyond(size_t room, stats::Recorder& recorder);
  // The oldest in the line, for a connection. Not when nobody waits.
  Arrival take() {
    ++taken_;
    return waiting_.pop_front();
  }
  // One that was taken is lost with the attempt to connect for it.
  void refuse_taken(stats::Recorder& totals) {
    --taken_;
    totals.refused();
    recorder.refused();
  }
  // Back to the front of the line: its connection ended before it could leave.
  void give_back(const Arrival& arrival) {
    --taken_;
    waiting_.push_front(arrival);
  }
  uint64_t taken() const { return taken_; }
  // Nothing is left to send, whatever the schedule says: the load is over now. What waits is not
  // sent.
  void end(int64_t now_ns);

  // Whether no connection was free for it when it was seen. What is in line when the free ones
  // have got theirs waits from then on.
  bool waited(const Arrival& arrival) const { return arrival.seen_ns != now_ns_; }
  void leave_in_line() { now_ns_ = 0; }

  // Slots whose connection has nothing to do, the one idle for longest first, and those that have
  // room for one more request in flight. An entry may be stale.
  Ring<uint32_t> idle;
  Ring<uint32_t> roomy;
  stats::ScheduleRecorder recorder;

 private:
  void find_next();

  std::unique_ptr<pace::Schedule> schedule_;
  int64_t load_ns_;
  uint64_t max_waiting_;
  Ring<Arrival> waiting_;
  bool started_ = false;
  int64_t start_ns_ = 0;
  int64_t now_ns_ = 0;  // of the collect() whose arrivals are being given to free connections
  int64_t next_due_ns_ = INT64_MAX;
  uint64_t taken_ = 0;
};

}  // namespace carronade::load
