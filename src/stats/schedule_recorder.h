// HOT. What one worker's open loop does with its schedule: arrivals, lateness, gaps, service
// times, and the figures of each stage. One writer, merged when the run is over. Times are on the
// clock of the schedule's start. Every arrival is planned() once and then either refused() once
// or sent() once, or still waits at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carronade/rate_result.h"
#include "carronade/run_result.h"
#include "stats/interval_histograms.h"

namespace carronade::stats {

class ScheduleRecorder {
 public:
  struct Options {
    std::vector<int64_t> stage_starts_ns{0};  // from the start of the schedule, ascending
    bool exclude_error_stats = false;         // as in Recorder: of the service times
  };
  explicit ScheduleRecorder(const Options& options);

  // The start of the schedule and how long it goes on; before anything is counted.
  void start(int64_t start_ns, int64_t load_ns);
  // Rolls the intervals over. Whenever Recorder::advance has rolled its own; nothing before the
  // start.
  void advance(int64_t now_ns) {
    if (!started_) return;
    while (service_time_.edge_ns() <= now_ns) service_time_.close();
  }

  void planned(int64_t due_ns) {
    ++planned_;
    const auto second = static_cast<size_t>((due_ns - start_ns_) / kSecondNs);
    if (second >= planned_by_second_.size()) planned_by_second_.resize(second + 1);
    ++planned_by_second_[second];
    if (StageResult* stage = stage_of(due_ns)) ++stage->planned;
  }
  void refused() { ++refused_; }
  // A request due at due_ns was seen at seen_ns and left at sent_ns; `waited`: no connection was
  // free for it when it was seen.
  void sent(int64_t due_ns, int64_t seen_ns, int64_t sent_ns, bool waited);
  // A request that was sent is answered, or lost to an error or a timeout.
  void answered(uint16_t status, int64_t due_ns, int64_t sent_ns, int64_t last_ns);
  void lost(int64_t due_ns) {
    if (StageResult* stage = stage_of(due_ns)) ++stage->failed;
  }

  // At the end of the worker, which may come before that of the schedule, and before its start.
  // Once; afterwards only read.
  void finish(int64_t end_ns);

 private:
  static constexpr int64_t kSecondNs = 1'000'000'000;
  // Null when there is one stage only: its figures are those of the run.
  StageResult* stage_of(int64_t due_ns);
  friend void merge_schedules(const std::vector<const ScheduleRecorder*>& recorders,
                              const std::vector<std::string>& stage_names, RunResult& result);

  Options options_;
  bool started_ = false;
  int64_t start_ns_ = 0;
  uint64_t planned_ = 0;
  std::vector<uint64_t> planned_by_second_;  // by the due time
  uint64_t refused_ = 0;
  uint64_t sent_ = 0;
  uint64_t sent_in_time_ = 0;
  int64_t load_ns_ = 0;
  Histogram generator_late_, no_connection_, planned_gaps_, sent_gaps_;
  IntervalHistograms service_time_{0};
  std::vector<StageResult> stages_;
  size_t stage_ = 0;  // where the last look-up ended
  int64_t last_due_ns_ = -1;
  int64_t last_sent_ns_ = 0;
};

// Adds the workers up into result.rate, the plan of result.series and the service times of
// result.intervals.
void merge_schedules(const std::vector<const ScheduleRecorder*>& recorders,
                     const std::vector<std::string>& stage_names, RunResult& result);

}  // namespace carronade::stats
