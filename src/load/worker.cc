// HOT.
#include "load/worker.h"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "pace/split.h"

namespace carronade::load {
namespace {

// Above every token of a connection, whose upper half would have to wrap around first.
constexpr uint64_t kTimerToken = UINT64_MAX;
constexpr uint64_t kWakeupToken = UINT64_MAX - 1;

constexpr int64_t kShortestSweepNs = 5'000'000;
constexpr int64_t kLongestSweepNs = 100'000'000;  // also how often progress is published
constexpr int64_t kLongestGateNs = 3'000'000'000;

}  // namespace

Worker::Worker(const WorkerPlan& plan, RunSignals& signals, std::unique_ptr<RequestSource> source)
    : state_(plan, signals, std::move(source)),
      fleet_(state_),
      sweep_period_ns_(std::clamp(plan.run->timeout_ns / 20, kShortestSweepNs, kLongestSweepNs)),
      waits_(plan.run->rate ? plan.run->rate->spec.pace : PaceMode::kSleep, 0, false) {
  CHECK(state_.loop.add_level(timer_.fd(), kTimerToken));
  CHECK(state_.loop.add_level(wakeup_.fd(), kWakeupToken));
  signals.add(&wakeup_);
}

void Worker::open(int64_t start_ns) {
  const int64_t now_ns = base::now_ns();
  next_sweep_ns_ = now_ns + sweep_period_ns_;
  gate_deadline_ns_ = now_ns + std::min(state_.run.timeout_ns, kLongestGateNs);
  begin_load(start_ns);
  if (!state_.open_loop && state_.run.duration_ns)
    deadline_ns_ = start_ns + *state_.run.duration_ns;
  if (state_.run.connection_levels) {
    change_level(start_ns);
  } else {
    fleet_.start();
  }
  if (state_.open_loop) pass_gate();
  arm_timer(true);
}

void Worker::begin_load(int64_t start_ns) {
  start_ns_ = start_ns;
  state_.recorder.start(start_ns);
  usage_at_start_ = thread_usage();
  health_.turns.reset();
  turn_start_ns_ = base::now_ns();
}

// Open loop, before its schedule: goes on when this worker has its connections, and begins when
// all workers have theirs.
void Worker::pass_gate() {
  if (!ready_ && (fleet_.first_round_over() || base::now_ns() >= gate_deadline_ns_)) {
    ready_ = true;
    state_.signals.ready();
  }
  const int64_t start_ns = state_.signals.start_ns();
  if (start_ns == 0) return;
  begin_load(start_ns);
  state_.open_loop->start(start_ns);
  waits_ = pace::WaitPolicy(state_.run.rate->spec.pace, start_ns, state_.run.rate->spare_cores);
  const int64_t drain_ns = state_.run.rate->spec.drain_ns.value_or(state_.run.timeout_ns);
  deadline_ns_ = state_.open_loop->load_end_ns() + drain_ns;
}

std::span<const net::Loop::Event> Worker::wait(bool block) {
  const bool may_wait = block && !fleet_.has_unread() && !fleet_.all_done();
  const int64_t due_ns = state_.open_loop ? state_.open_loop->next_due_ns() : INT64_MAX;
  if (!may_wait || due_ns == INT64_MAX) {
    const auto events = state_.loop.wait(may_wait ? net::Loop::kForever : 0);
    turn_start_ns_ = base::now_ns();
    return events;
  }
  const int64_t before_ns = base::now_ns();
  const int64_t timeout_ns = waits_.timeout_ns(before_ns, due_ns);
  if (timeout_ns == 0 && due_ns > before_ns && waits_.polite(before_ns)) sched_yield();
  const auto events = state_.loop.wait(timeout_ns);
  turn_start_ns_ = base::now_ns();
  if (timeout_ns == 0) {
    waits_.polled(before_ns, turn_start_ns_, due_ns, events.empty());
  } else if (events.empty()) {
    waits_.woke(before_ns, timeout_ns, turn_start_ns_);
  }
  return events;
}

bool Worker::turn(bool block) {
  if (done_) return false;
  bool timer_fired = false;
  const std::span<const net::Loop::Event> events = wait(block);
  for (const net::Loop::Event& event : events) {
    if (event.token == kTimerToken) {
      timer_fired = true;
    } else if (event.token == kWakeupToken) {
      wakeup_.drain();
    } else {
      fleet_.on_event(event);
    }
  }
  if (fleet_.has_unread()) fleet_.read_unread();
  fleet_.send_next();
  const bool sent = state_.open_loop && send_due();
  // After the batch: a sweep may replace sockets that the batch still speaks of.
  if (timer_fired) on_timer();
  if (!state_.destroyed.empty()) fleet_.end_destroyed();
  if (state_.signals.stopping() || fleet_.all_done() || drained()) {
    finish(block);
  } else if (!block && fleet_.has_unread()) {
    timer_.arm_at(0);
    armed_for_ns_ = 0;
  } else {
    arm_timer(block);
  }
  if (sent || !events.empty()) health_.turns.record(base::now_ns() - turn_start_ns_);
  return !done_;
}

void Worker::destroy(uint32_t slot) {
  if (done_ || slot >= state_.connections.size()) return;
  Connection& c = state_.connections[slot];
  if (c.scripted == nullptr || c.scripted->destroyed) return;
  c.scripted->destroyed = true;
  state_.destroyed.push_back(slot);
  wakeup_.notify();
}

// Open loop: sends what is due; true when something was.
bool Worker::send_due() {
  if (!state_.open_loop->started()) pass_gate();
  const int64_t now_ns = base::now_ns();
  const OpenLoop& open = *state_.open_loop;
  // What was given back may find another connection free.
  const bool any_free = !(open.idle.empty() && open.roomy.empty());
  const bool can_go = open.has_waiting() && (any_free || fleet_.can_connect_more());
  if (now_ns < open.next_due_ns() && !can_go) return false;
  state_.advance(now_ns);
  fleet_.dispatch_due(now_ns);
  return true;
}

void Worker::on_timer() {
  timer_.drain();
  armed_for_ns_ = 0;
  const int64_t now_ns = base::now_ns();
  const bool running = !state_.open_loop || state_.open_loop->started();
  if (running) state_.advance(now_ns);
  if (deadline_ns_ && now_ns >= *deadline_ns_) {
    if (state_.open_loop) {
      fleet_.sweep(now_ns);  // what has waited for the length of the timeout ends by it
      overdue_ = true;
    } else {
      state_.signals.stop(StoppedBy::kDuration);
    }
    return;
  }
  if (now_ns >= next_level_ns_) change_level(now_ns);
  fleet_.retry_waiting(now_ns);
  fleet_.end_pauses(now_ns);
  if (now_ns < next_sweep_ns_) return;
  next_sweep_ns_ = now_ns + sweep_period_ns_;
  fleet_.sweep(now_ns);
  progress_.publish(state_);
}

void Worker::change_level(int64_t now_ns) {
  const pace::LevelProfile& levels = *state_.run.connection_levels;
  const int64_t at_ns = now_ns - start_ns_;
  fleet_.set_active(static_cast<uint32_t>(
      pace::part_of(levels.level_at(at_ns), state_.plan.parts, state_.plan.index)));
  const int64_t next_ns = levels.next_change_ns(at_ns);
  next_level_ns_ = next_ns == INT64_MAX ? INT64_MAX : start_ns_ + next_ns;
}

// One system call when the next time changes, which is when the timer has fired or a connection
// begins to wait; not once a turn. A turn that blocks waits for due times by itself.
void Worker::arm_timer(bool block) {
  int64_t next_ns = std::min(next_sweep_ns_, next_level_ns_);
  if (deadline_ns_) next_ns = std::min(next_ns, *deadline_ns_);
  next_ns = std::min(next_ns, fleet_.next_retry_ns());
  if (state_.open_loop && state_.open_loop->started()) {
    if (!block) next_ns = std::min(next_ns, state_.open_loop->next_due_ns());
    const int64_t load_end_ns = state_.open_loop->load_end_ns();
    if (turn_start_ns_ < load_end_ns) next_ns = std::min(next_ns, load_end_ns);
  }
  if (armed_for_ns_ != 0 && armed_for_ns_ <= next_ns) return;
  timer_.arm_at(next_ns);
  armed_for_ns_ = next_ns;
}

// Open loop: its time is over, and every request has been sent and has ended; or has not ended
// for the length of the timeout.
bool Worker::drained() const {
  if (!state_.open_loop || !state_.open_loop->started()) return false;
  if (overdue_) return true;
  if (!state_.open_loop->over() || turn_start_ns_ < state_.open_loop->load_end_ns()) return false;
  const stats::Recorder::Totals& t = state_.recorder.totals();
  const uint64_t ended = t.answered + t.failed + t.timed_out + state_.abandoned;
  return t.sent == state_.open_loop->taken() && t.sent == ended;
}

void Worker::finish(bool may_wait) {
  done_ = true;
  end_ns_ = std::max(base::now_ns(), start_ns_);
  in_flight_ = fleet_.in_flight();
  if (state_.open_loop) {
    OpenLoop& open = *state_.open_loop;
    if (open.started()) open.collect_rest(std::min(end_ns_, open.load_end_ns()), state_.recorder);
  }
  const ThreadUsage usage = thread_usage();
  health_.wall_ns = end_ns_ - start_ns_;
  health_.cpu_ns = usage.cpu_ns - usage_at_start_.cpu_ns;
  const pace::Polling& polling = waits_.polling();
  health_.spin_ns = std::min(polling.spin_ns(), health_.cpu_ns);
  // A core given away while nothing was due was not waited for.
  if (usage.run_delay_ns >= 0 && usage_at_start_.run_delay_ns >= 0) {
    const int64_t delay_ns = usage.run_delay_ns - usage_at_start_.run_delay_ns;
    health_.run_delay_ns = std::max<int64_t>(delay_ns - polling.given_ns(), 0);
  }
  if (usage.involuntary_switches >= 0) {
    const int64_t switches = usage.involuntary_switches - usage_at_start_.involuntary_switches;
    health_.involuntary_switches = std::max<int64_t>(switches - polling.given_times(), 0);
  }
  state_.recorder.finish(end_ns_);
  if (state_.open_loop) state_.open_loop->recorder.finish(end_ns_);
  fleet_.close_all(may_wait);
  progress_.publish(state_);
  const stats::Recorder::Totals& totals = state_.recorder.totals();
  DCHECK(totals.sent == totals.answered + totals.failed + totals.timed_out + in_flight_);
}

}  // namespace carronade::load
