// HOT.
#include "load/open_loop.h"

#include <algorithm>

#include "pace/split.h"

namespace carronade::load {

OpenLoop::OpenLoop(const WorkerPlan& plan)
    : recorder({.stage_starts_ns = plan.run->rate->stage_starts_ns,
                .exclude_error_stats = plan.run->exclude_error_stats}),
      schedule_(std::make_unique<pace::Schedule>(plan.run->rate->profile, plan.run->rate->spec,
                                                 pace::Schedule::Part{plan.index, plan.parts},
                                                 plan.run->rate->load_ns, plan.run->rate->amount)),
      load_ns_(plan.run->rate->load_ns),
      max_waiting_(std::max<uint64_t>(
          pace::part_of(plan.run->rate->spec.max_backlog, plan.parts, plan.index), 1)) {}

void OpenLoop::start(int64_t start_ns) {
  started_ = true;
  start_ns_ = start_ns;
  recorder.start(start_ns, load_ns_);
  find_next();
}

void OpenLoop::find_next() {
  const int64_t due_ns = schedule_->next_ns();
  next_due_ns_ = due_ns == pace::Schedule::kOver ? INT64_MAX : start_ns_ + due_ns;
}

void OpenLoop::collect(int64_t now_ns, stats::Recorder& totals) {
  now_ns_ = now_ns;
  for (int i = 0; i < kAtOnce && next_due_ns_ <= now_ns; ++i) {
    recorder.planned(next_due_ns_);
    if (waiting_.size() < max_waiting_) {
      waiting_.push_back({next_due_ns_, now_ns});
    } else {
      totals.refused();
      recorder.refused();
    }
    schedule_->pop();
    find_next();
  }
}

void OpenLoop::collect_rest(int64_t now_ns, stats::Recorder& totals) {
  while (next_due_ns_ <= now_ns) collect(now_ns, totals);
}

void OpenLoop::end(int64_t now_ns) {
  next_due_ns_ = INT64_MAX;
  load_ns_ = std::min(load_ns_, now_ns - start_ns_);
  while (!waiting_.empty()) waiting_.pop_back();
}

void OpenLoop::refuse_beyond(size_t room, stats::Recorder& totals) {
  while (waiting_.size() > room) {
    waiting_.pop_back();
    totals.refused();
    recorder.refused();
  }
}

}  // namespace carronade::load
