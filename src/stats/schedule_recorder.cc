// HOT.
#include "stats/schedule_recorder.h"

#include <algorithm>

#include "base/check.h"
#include "stats/result_parts.h"

namespace carronade::stats {

ScheduleRecorder::ScheduleRecorder(const Options& options) : options_(options) {
  if (options_.stage_starts_ns.size() > 1) stages_.resize(options_.stage_starts_ns.size());
}

void ScheduleRecorder::start(int64_t start_ns, int64_t load_ns) {
  DCHECK(planned_ == 0);
  started_ = true;
  start_ns_ = start_ns;
  load_ns_ = load_ns;
  service_time_ = IntervalHistograms(start_ns);
}

// Stages are few, and a request is due in the stage of the one before it, mostly.
StageResult* ScheduleRecorder::stage_of(int64_t due_ns) {
  if (stages_.empty()) return nullptr;
  const std::vector<int64_t>& starts = options_.stage_starts_ns;
  const int64_t at_ns = due_ns - start_ns_;
  while (stage_ > 0 && at_ns < starts[stage_]) --stage_;
  while (stage_ + 1 < starts.size() && at_ns >= starts[stage_ + 1]) ++stage_;
  return &stages_[stage_];
}

void ScheduleRecorder::sent(int64_t due_ns, int64_t seen_ns, int64_t sent_ns, bool waited) {
  ++sent_;
  if (sent_ns - start_ns_ < load_ns_) ++sent_in_time_;
  generator_late_.record((waited ? seen_ns : sent_ns) - due_ns);
  no_connection_.record(waited ? sent_ns - seen_ns : 0);
  if (!waited && last_due_ns_ >= 0) {
    planned_gaps_.record(due_ns - last_due_ns_);
    sent_gaps_.record(sent_ns - last_sent_ns_);
  }
  last_due_ns_ = waited ? -1 : due_ns;
  last_sent_ns_ = sent_ns;
  if (StageResult* stage = stage_of(due_ns)) ++stage->sent;
}

void ScheduleRecorder::answered(uint16_t status, int64_t due_ns, int64_t sent_ns, int64_t last_ns) {
  StageResult* stage = stage_of(due_ns);
  if (stage != nullptr) ++stage->answered;
  if (options_.exclude_error_stats && status / 100 != 2) return;
  service_time_.record(last_ns - sent_ns);
  if (stage == nullptr) return;
  stage->latency.record(last_ns - due_ns);
  stage->service_time.record(last_ns - sent_ns);
}

void ScheduleRecorder::finish(int64_t end_ns) {
  if (!started_) return;
  load_ns_ = std::clamp<int64_t>(end_ns - start_ns_, 0, load_ns_);
  advance(end_ns);
  service_time_.finish(end_ns);
}

namespace {

// What was due at the very end has no window of its own.
void add_plan(std::vector<Window>& series, const std::vector<uint64_t>& seconds) {
  if (series.empty()) return;
  for (size_t i = 0; i < seconds.size(); ++i) {
    series[std::min(i, series.size() - 1)].planned += seconds[i];
  }
}

}  // namespace

void merge_schedules(const std::vector<const ScheduleRecorder*>& recorders,
                     const std::vector<std::string>& stage_names, RunResult& result) {
  RateResult rate;
  std::vector<const IntervalHistograms*> intervals;
  for (const ScheduleRecorder* recorder : recorders) {
    rate.planned += recorder->planned_;
    rate.refused += recorder->refused_;
    rate.unsent += recorder->planned_ - recorder->refused_ - recorder->sent_;
    rate.sent_in_time += recorder->sent_in_time_;
    rate.load_ns = std::max(rate.load_ns, recorder->load_ns_);
    rate.generator_late.merge(recorder->generator_late_);
    rate.no_connection.merge(recorder->no_connection_);
    rate.planned_gaps.merge(recorder->planned_gaps_);
    rate.sent_gaps.merge(recorder->sent_gaps_);
    rate.service_time.merge(recorder->service_time_.total());
    intervals.push_back(&recorder->service_time_);
    add_stages(rate.stages, recorder->stages_);
    add_plan(result.series, recorder->planned_by_second_);
  }
  for (size_t i = 0; i < rate.stages.size(); ++i) {
    StageResult& stage = rate.stages[i];
    const std::vector<int64_t>& starts = recorders.front()->options_.stage_starts_ns;
    const int64_t end_ns = i + 1 < starts.size() ? starts[i + 1] : rate.load_ns;
    stage.name = stage_names[i];
    stage.start_ns = starts[i];
    stage.width_ns = std::max<int64_t>(std::min(end_ns, rate.load_ns) - starts[i], 0);
    stage.dropped = stage.planned - stage.sent;
  }
  for (size_t i = 0; i < result.intervals.size(); ++i) {
    result.intervals[i].service_time = IntervalHistograms::merged(intervals, i);
  }
  result.rate = std::move(rate);
}

}  // namespace carronade::stats
