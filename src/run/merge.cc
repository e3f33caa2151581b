#include "run/merge.h"

#include <algorithm>

#include "base/check.h"
#include "stats/recorder.h"
#include "stats/result_parts.h"
#include "stats/schedule_recorder.h"
#include "stats/steadiness.h"

namespace carronade::run {
namespace {

// A schedule comes to its end by its amount or by its time.
StoppedBy ended_by_schedule(const Plan& plan, const RunResult& result) {
  const bool amount = plan.spec.amount && result.planned >= *plan.spec.amount;
  return amount ? StoppedBy::kAmount : StoppedBy::kDuration;
}

// What ended a run that nobody stopped: it had nothing more to send.
StoppedBy used_up(const Plan& plan, const RunResult& result,
                  const std::vector<std::unique_ptr<load::Worker>>& workers) {
  if (workers.empty()) return StoppedBy::kUnresolved;
  const bool gone = std::any_of(workers.begin(), workers.end(),
                                [](const auto& worker) { return worker->gave_up(); });
  if (gone) return StoppedBy::kUnreachable;
  const bool no_more = std::any_of(workers.begin(), workers.end(),
                                   [](const auto& worker) { return worker->state().source_over; });
  if (no_more) return StoppedBy::kData;
  if (plan.load.rate) return ended_by_schedule(plan, result);
  const bool amount = std::all_of(workers.begin(), workers.end(), [](const auto& worker) {
    return worker->state().budget.exhausted();
  });
  return amount ? StoppedBy::kAmount : StoppedBy::kConnectionRequests;
}

void add_schedule(const Plan& plan, const std::vector<std::unique_ptr<load::Worker>>& workers,
                  RunResult& result) {
  std::vector<const stats::ScheduleRecorder*> recorders;
  recorders.reserve(workers.size());
  for (const auto& worker : workers) {
    recorders.push_back(&worker->state().open_loop->recorder);
  }
  std::vector<std::string> names;
  names.reserve(plan.spec.rate->stages.size());
  for (const RateStage& stage : plan.spec.rate->stages) names.push_back(stage.name);
  stats::merge_schedules(recorders, names, result);
  result.rate->pace = plan.spec.rate->pace;
  result.planned = result.rate->planned;
  result.dropped = result.rate->refused + result.rate->unsent;
}

}  // namespace

RunResult merge_workers(const Plan& plan, const load::RunSignals& signals,
                        const std::vector<std::unique_ptr<load::Worker>>& workers, int64_t start_ns,
                        int64_t end_ns) {
  std::vector<const stats::Recorder*> recorders;
  uint64_t in_flight = 0;
  std::vector<WorkerHealth> healths;
  for (const auto& worker : workers) {
    recorders.push_back(&worker->state().recorder);
    in_flight += worker->in_flight();
    healths.push_back(worker->health());
    end_ns = worker == workers.front() ? worker->end_ns() : std::max(end_ns, worker->end_ns());
  }
  if (signals.start_ns() != 0) start_ns = signals.start_ns();
  RunResult result = stats::merge(recorders, start_ns, std::max(start_ns, end_ns));
  if (plan.load.rate) add_schedule(plan, workers, result);
  const auto speaks_websocket = [](const Target& target) { return target.url.websocket; };
  if (std::any_of(plan.spec.targets.begin(), plan.spec.targets.end(), speaks_websocket)) {
    result.websocket.emplace();
    result.protocol = "WebSocket";
  }
  for (const auto& worker : workers) {
    if (!result.tls) result.tls = worker->state().tls;
    if (result.websocket) stats::add_counters(*result.websocket, worker->state().websocket);
  }
  result.sample_interval_ns = plan.spec.sample_interval_ns;
  result.addresses = plan.addresses;
  result.connections_asked = plan.spec.connections;
  result.in_flight = in_flight;
  result.workers = std::move(healths);
  if (plan.spec.amount && !plan.load.rate) {
    result.planned = *plan.spec.amount;
    result.dropped = result.planned - result.sent;
  }
  result.stopped_by = signals.reason().value_or(used_up(plan, result, workers));
  result.errors.insert(result.errors.end(), plan.setup_errors.begin(), plan.setup_errors.end());
  CHECK(result.conserved());
  uint64_t lost = 0;
  for (const ErrorCount& error : result.errors) lost += error.requests;
  CHECK(lost == result.failed + result.timed_out);
  if (plan.spec.find_warmup) stats::set_warmup_apart(result);
  return result;
}

}  // namespace carronade::run
