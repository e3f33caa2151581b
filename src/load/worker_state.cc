#include "load/worker_state.h"

#include <algorithm>

namespace carronade::load {
namespace {

// Large enough that a burst of pipelined answers or a piece of a large body is one read, small
// enough to stay in the second-level cache.
constexpr size_t kReceiveBytes = 256 * 1024;

std::unique_ptr<net::Transport> make_transport(const PreparedTarget& target) {
  if (target.tls != nullptr) return target.tls->make_transport(target.sni, target.verify_host);
  const bool tcp = target.addresses.empty() || target.addresses[0].family() != AF_UNIX;
  return net::make_plain_transport(tcp);
}

}  // namespace

WorkerState::WorkerState(const WorkerPlan& worker_plan, RunSignals& run_signals)
    : plan(worker_plan),
      run(*worker_plan.run),
      signals(run_signals),
      recorder({.sample_interval_ns = run.sample_interval_ns,
                .exclude_error_stats = run.exclude_error_stats}),
      budget(plan.amount, plan.connections),
      receive_buffer(kReceiveBytes),
      connections(plan.connections),
      first_parked(connections.data() + connections.size()),
      open_loop(run.rate ? std::make_unique<OpenLoop>(plan) : nullptr) {
  for (const PreparedTarget& target : run.targets) {
    targets.push_back({&target, make_transport(target)});
  }
  for (uint32_t i = 0; i < plan.connections; ++i) {
    Connection& c = connections[i];
    c.target = (plan.first_slot + i) % static_cast<uint32_t>(targets.size());
    if (run.expect_body) c.expectation = std::make_unique<Expectation>(*run.expect_body);
  }
  if (plan.capture_exchange) capture = std::make_unique<ExchangeCapture>();
}

void WorkerState::count_error(ErrorKind kind, Phase phase, const std::string& text,
                              uint32_t requests) {
  recorder.error(kind, phase, text, requests);
  signals.failed(std::max<uint32_t>(requests, 1), run.bailout);
}

}  // namespace carronade::load
