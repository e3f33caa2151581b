#include "run/merge.h"

#include <algorithm>

#include "base/check.h"
#include "stats/recorder.h"

namespace carronade::run {
namespace {

// What ended a run that nobody stopped: it had nothing more to send.
StoppedBy used_up(const std::vector<std::unique_ptr<load::Worker>>& workers) {
  if (workers.empty()) return StoppedBy::kUnresolved;
  const bool gone = std::any_of(workers.begin(), workers.end(),
                                [](const auto& worker) { return worker->gave_up(); });
  if (gone) return StoppedBy::kUnreachable;
  const bool amount = std::all_of(workers.begin(), workers.end(), [](const auto& worker) {
    return worker->state().budget.exhausted();
  });
  return amount ? StoppedBy::kAmount : StoppedBy::kConnectionRequests;
}

}  // namespace

RunResult merge_workers(const Plan& plan, const load::RunSignals& signals,
                        const std::vector<std::unique_ptr<load::Worker>>& workers, int64_t start_ns,
                        int64_t end_ns) {
  std::vector<const stats::Recorder*> recorders;
  uint64_t in_flight = 0;
  for (const auto& worker : workers) {
    recorders.push_back(&worker->state().recorder);
    in_flight += worker->in_flight();
    end_ns = worker == workers.front() ? worker->end_ns() : std::max(end_ns, worker->end_ns());
  }
  RunResult result = stats::merge(recorders, start_ns, end_ns);
  result.stopped_by = signals.reason().value_or(used_up(workers));
  result.sample_interval_ns = plan.spec.sample_interval_ns;
  result.addresses = plan.addresses;
  result.connections_asked = plan.spec.connections;
  result.in_flight = in_flight;
  if (plan.spec.amount) {
    result.planned = *plan.spec.amount;
    result.dropped = result.planned - result.sent;
  }
  result.errors.insert(result.errors.end(), plan.setup_errors.begin(), plan.setup_errors.end());
  CHECK(result.conserved());
  uint64_t lost = 0;
  for (const ErrorCount& error : result.errors) lost += error.requests;
  CHECK(lost == result.failed + result.timed_out);
  return result;
}

}  // namespace carronade::run
