// HOT.
#include "load/worker.h"

#include <algorithm>

#include "base/check.h"
#include "base/clock.h"

namespace carronade::load {
namespace {

// Above every token of a connection, whose upper half would have to wrap around first.
constexpr uint64_t kTimerToken = UINT64_MAX;
constexpr uint64_t kWakeupToken = UINT64_MAX - 1;

constexpr int64_t kShortestSweepNs = 5'000'000;
constexpr int64_t kLongestSweepNs = 100'000'000;  // also how often progress is published

}  // namespace

Worker::Worker(const WorkerPlan& plan, RunSignals& signals)
    : state_(plan, signals),
      fleet_(state_),
      sweep_period_ns_(std::clamp(plan.run->timeout_ns / 20, kShortestSweepNs, kLongestSweepNs)) {
  CHECK(state_.loop.add_level(timer_.fd(), kTimerToken));
  CHECK(state_.loop.add_level(wakeup_.fd(), kWakeupToken));
  signals.add(&wakeup_);
}

void Worker::open(int64_t start_ns) {
  state_.recorder.start(start_ns);
  if (state_.run.duration_ns) deadline_ns_ = start_ns + *state_.run.duration_ns;
  const int64_t now_ns = base::now_ns();
  next_sweep_ns_ = now_ns + sweep_period_ns_;
  fleet_.start();
  arm_timer();
}

bool Worker::turn(bool block) {
  if (done_) return false;
  bool timer_fired = false;
  const bool wait = block && !fleet_.has_unread() && !fleet_.all_done();
  for (const net::Loop::Event& event : state_.loop.wait(wait ? net::Loop::kForever : 0)) {
    if (event.token == kTimerToken) {
      timer_fired = true;
    } else if (event.token == kWakeupToken) {
      wakeup_.drain();
    } else {
      fleet_.on_event(event);
    }
  }
  if (fleet_.has_unread()) fleet_.read_unread();
  // After the batch: a sweep may replace sockets that the batch still speaks of.
  if (timer_fired) on_timer();
  if (state_.signals.stopping() || fleet_.all_done()) {
    finish();
  } else if (!block && fleet_.has_unread()) {
    timer_.arm_at(0);
    armed_for_ns_ = 0;
  } else {
    arm_timer();
  }
  return !done_;
}

void Worker::on_timer() {
  timer_.drain();
  armed_for_ns_ = 0;
  const int64_t now_ns = base::now_ns();
  state_.recorder.advance(now_ns);
  if (deadline_ns_ && now_ns >= *deadline_ns_) {
    state_.signals.stop(StoppedBy::kDuration);
    return;
  }
  fleet_.retry_waiting(now_ns);
  if (now_ns < next_sweep_ns_) return;
  next_sweep_ns_ = now_ns + sweep_period_ns_;
  fleet_.sweep(now_ns);
  progress_.publish(state_);
}

// One system call when the next time changes, which is when the timer has fired or a connection
// begins to wait; not once a turn.
void Worker::arm_timer() {
  int64_t next_ns = next_sweep_ns_;
  if (deadline_ns_) next_ns = std::min(next_ns, *deadline_ns_);
  next_ns = std::min(next_ns, fleet_.next_retry_ns());
  if (armed_for_ns_ != 0 && armed_for_ns_ <= next_ns) return;
  timer_.arm_at(next_ns);
  armed_for_ns_ = next_ns;
}

void Worker::finish() {
  done_ = true;
  end_ns_ = base::now_ns();
  in_flight_ = fleet_.in_flight();
  state_.recorder.finish(end_ns_);
  fleet_.close_all();
  progress_.publish(state_);
  const stats::Recorder::Totals& totals = state_.recorder.totals();
  DCHECK(totals.sent == totals.answered + totals.failed + totals.timed_out + in_flight_);
}

}  // namespace carronade::load
