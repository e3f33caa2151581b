#include "load/worker_state.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/clock.h"

namespace carronade::load {
namespace {

std::unique_ptr<net::Transport> make_transport(const PreparedTarget& target) {
  if (target.tls != nullptr) return target.tls->make_transport(target.sni, target.verify_host);
  const bool tcp = target.addresses.empty() || target.addresses[0].family() != AF_UNIX;
  return net::make_plain_transport(tcp);
}

}  // namespace

SourceWants granted_wants(const RequestSource* source, uint32_t pipelining) {
  if (source == nullptr) return {.requests = false};
  SourceWants wants = source->wants();
  wants.targets = wants.targets && wants.requests && pipelining == 1;
  wants.follow_ups = wants.follow_ups && wants.requests && pipelining == 1;
  wants.pauses = wants.pauses && wants.requests;
  wants.responses = wants.responses || wants.heads || wants.bodies || wants.follow_ups;
  return wants;
}

WorkerState::WorkerState(const WorkerPlan& worker_plan, RunSignals& run_signals,
                         std::unique_ptr<RequestSource> request_source)
    : plan(worker_plan),
      run(*worker_plan.run),
      signals(run_signals),
      source(std::move(request_source)),
      wants(granted_wants(source.get(), run.pipelining)),
      recorder({.sample_interval_ns = run.sample_interval_ns,
                .exclude_error_stats = run.exclude_error_stats}),
      budget(plan.amount, plan.connections),
      receive_buffer(std::make_unique_for_overwrite<char[]>(kReceiveBytes)),
      connections(plan.connections),
      first_parked(connections.data() + connections.size()),
      open_loop(run.rate ? std::make_unique<OpenLoop>(plan) : nullptr) {
  for (const PreparedTarget& target : run.targets) {
    targets.push_back({&target, make_transport(target), nullptr});
    if (!target.openings.connect_request.empty()) {
      targets.back().tunnel_transport = net::make_plain_transport(true);
    }
  }
  for (uint32_t i = 0; i < plan.connections; ++i) {
    Connection& c = connections[i];
    c.target = (plan.first_slot + i) % static_cast<uint32_t>(targets.size());
    if (run.expect_body) c.expectation = std::make_unique<Expectation>(*run.expect_body);
    if (source == nullptr) continue;
    c.scripted = std::make_unique<Scripted>();
    c.scripted->makes_requests = wants.requests;
    c.scripted->target = c.target;
    if (wants.heads || wants.bodies) c.scripted->tap.emplace(wants, c.expectation.get());
  }
  if (plan.capture_exchange) capture = std::make_unique<ExchangeCapture>();
}

uint32_t WorkerState::fetch(Connection& c, uint32_t wanted) {
  Scripted& scripted = *c.scripted;
  if (!scripted.makes_requests) return wanted;
  SourcedRequests& requests = scripted.requests;
  const uint32_t outstanding = c.inflight.total() + c.queued;
  uint32_t got = 0;
  for (; got < wanted && !scripted.last_on_socket && !source_over; ++got) {
    if (requests.size() > outstanding + got) {  // given before, and not sent
      scripted.last_on_socket = requests.last_on_socket(outstanding + got);
      continue;
    }
    if (scripted.over) break;
    const size_t before = requests.buffer().size();
    const NextRequest next = source->next(number_of(c), requests.buffer());
    if (next == NextRequest::kNoneHere && !open_loop) {
      scripted.over = true;
      break;
    }
    if (next == NextRequest::kNone || next == NextRequest::kNoneHere ||
        requests.buffer().size() == before) {
      source_over = true;
      break;
    }
    scripted.last_on_socket = next == NextRequest::kLastOnSocket;
    requests.add(scripted.last_on_socket);
    if (wants.targets) {
      scripted.target = source->target() % static_cast<uint32_t>(targets.size());
      if (!c.stream.fd.valid()) c.target = scripted.target;
    }
  }
  budget.give_back(wanted - got);
  if (source_over) {
    budget.close();
    if (open_loop) open_loop->end(base::now_ns());
  }
  return got;
}

bool WorkerState::pauses_before_next(Connection& c) {
  Scripted& scripted = *c.scripted;
  if (c.inflight.total() + c.queued + kept(c) > 0) return false;
  if (budget.exhausted()) {
    scripted.pause_until_ns = Scripted::kNoPause;  // there is nothing to wait for
    return false;
  }
  const int64_t now_ns = base::now_ns();
  if (scripted.pausing()) {
    if (now_ns < scripted.pause_until_ns) return true;
    scripted.pause_until_ns = Scripted::kNoPause;
    return false;
  }
  const int64_t pause_ns = source->pause_ns(number_of(c));
  if (pause_ns <= 0) return false;
  scripted.pause_until_ns = now_ns + pause_ns;
  pauses.emplace_back(scripted.pause_until_ns, static_cast<uint32_t>(&c - connections.data()));
  std::push_heap(pauses.begin(), pauses.end(), std::greater<>());
  return true;
}

// When the request was due that a connection was, or was to be, made for; 0: for none.
int64_t WorkerState::due_of_queued(const Connection& c) const {
  if (!c.inflight.empty() || c.queued == 0) return 0;
  if (open_loop) return connects_on_demand() ? c.arrival.due_ns : 0;
  return c.phase_start_ns > 0 ? c.phase_start_ns : base::now_ns();
}

void WorkerState::count_error(const Connection& c, ErrorKind kind, Phase phase,
                              const std::string& text, uint32_t requests, Queued queued) {
  recorder.error(kind, phase, text, requests);
  if (wants.losses) {
    int64_t due_ns = 0;
    if (requests > 0) due_ns = c.inflight.oldest_due_ns();
    if (requests == 0 && queued == Queued::kLost) due_ns = due_of_queued(c);
    source->on_loss({number_of(c), kind, phase, text, requests, due_ns});
  }
  signals.failed(std::max<uint32_t>(requests, 1), run.bailout);
}

}  // namespace carronade::load
