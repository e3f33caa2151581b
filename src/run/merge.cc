#include "run/merge.h"

#include <algorithm>

#include "base/check.h"
#include "stats/recorder.h"

namespace carronade::run {
namespace {

// What ended a run that nobody stopped: it had nothing more to send.
StoppedBy used_up(const RunSpec& spec, bool had_workers) {
  if (!had_workers) return StoppedBy::kUnresolved;
  return spec.amount ? StoppedBy::kAmount : StoppedBy::kConnectionRequests;
}

}  // namespace

RunResult merge_workers(const Plan& plan, const load::RunSignals& signals,
                        const std::vector<std::unique_ptr<load::Worker>>& workers, int64_t end_ns) {
  std::vector<const stats::Recorder*> recorders;
  uint64_t in_flight = 0;
  for (const auto& worker : workers) {
    recorders.push_back(&worker->state().recorder);
    in_flight += worker->in_flight();
    end_ns = worker == workers.front() ? worker->end_ns() : std::max(end_ns, worker->end_ns());
  }
  RunResult result = stats::merge(recorders, plan.load.start_ns, end_ns);
  result.stopped_by = signals.reason().value_or(used_up(plan.spec, !workers.empty()));
  result.sample_interval_ns = plan.spec.sample_interval_ns;
  result.addresses = plan.addresses;
  result.connections_asked = plan.spec.connections;
  result.in_flight = in_flight;
  if (plan.spec.amount) {
    result.planned = *plan.spec.amount;
    result.dropped = result.planned - result.sent;
  }
  result.errors.insert(result.errors.end(), plan.resolve_errors.begin(), plan.resolve_errors.end());
  CHECK(result.conserved());
  return result;
}

}  // namespace carronade::run
