#include "carronade/run.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/units.h"
#include "load/run_signals.h"
#include "load/worker.h"
#include "net/descriptors.h"
#include "pace/schedule.h"
#include "run/host_watch.h"
#include "run/merge.h"
#include "run/observing.h"
#include "run/plan.h"

namespace carronade {
namespace {

constexpr int64_t kTellPeriodNs = 100'000'000;
// Standard streams, resolver, loops, timers, wake-ups and certificate files.
constexpr uint64_t kOwnDescriptors = 16;
constexpr uint64_t kDescriptorsPerWorker = 3;
// In a table of one worker: standard streams, its loop and timer, and room for a file of /proc or
// of certificates. The wake-ups of all workers are in each.
constexpr uint64_t kOwnInTable = 8;

}  // namespace

struct Run::State {
  State(std::unique_ptr<run::Plan> made, Observer* observer)
      : plan(std::move(made)), observing(observer), signals(plan->spec.workers) {}

  std::unique_ptr<run::Plan> plan;
  run::Observing observing;
  load::RunSignals signals;
  run::HostWatch host;
  std::vector<std::string> warnings;
  bool tables_per_worker = false;  // of descriptors
  std::vector<std::unique_ptr<load::Worker>> workers;
  std::vector<std::thread> threads;
  int64_t start_ns = 0;
  int64_t start_unix_ns = 0;
  int64_t next_tell_ns = 0;  // driven by a host

  std::mutex mutex;
  std::condition_variable ended;
  size_t workers_ended = 0;  // guarded by mutex

  // The most that one table of descriptors may have to hold at once.
  uint64_t descriptors() const {
    const uint64_t parts = run::parts_of(plan->spec);
    const uint64_t sockets = run::most_sockets(plan->spec);
    if (tables_per_worker) {
      return kOwnInTable + parts + (sockets + parts - 1) / parts;
    }
    return parts * kDescriptorsPerWorker + kOwnDescriptors + sockets;
  }

  // Too few for the workers themselves is an error, too few for the connections a warning. Where
  // the process has too few, each worker has as many of its own; not with sources of requests,
  // which may read files that another thread has opened.
  Expected<void> check_descriptors() {
    const uint64_t own = descriptors() - run::most_sockets(plan->spec);
    const uint64_t available = net::raise_descriptor_limit();
    if (descriptors() <= available) return {};
    if (own >= available) {
      return unexpected(
          fmt::format("{} file descriptors needed, {} available (raise the hard limit: ulimit -Hn)",
                      base::format_thousands(descriptors()), base::format_thousands(available)));
    }
    const bool may_separate =
        plan->sources_of_requests == nullptr && net::can_separate_descriptors();
    tables_per_worker = may_separate && run::parts_of(plan->spec) > 1;
    if (descriptors() <= available) return {};
    warnings.push_back(fmt::format(
        "{} file descriptors needed{}, {} available: some connections will fail ({}raise the hard "
        "limit: ulimit -Hn)",
        base::format_thousands(descriptors()), tables_per_worker ? " by each worker" : "",
        base::format_thousands(available), may_separate ? "use more workers, -w, or " : ""));
    return {};
  }

  // A source of the user's own may send each connection to all of them.
  void check_targets() {
    if (plan->spec.make_source) return;
    const size_t targets = plan->spec.targets.size();
    const size_t connections = plan->spec.connections;
    if (targets <= connections) return;
    warnings.push_back(fmt::format("{} targets for {} connection{}: the last {} get no request",
                                   targets, connections, connections == 1 ? "" : "s",
                                   targets - connections));
  }

  // Resolves and makes the workers; none when there is nobody to talk to.
  void prepare() {
    run::resolve_targets(*plan, signals.stop_flag());
    begin();
    const auto& targets = plan->load.targets;
    const bool any = std::any_of(targets.begin(), targets.end(),
                                 [](const auto& target) { return !target.addresses.empty(); });
    if (!any || signals.stopping()) return;
    std::vector<std::unique_ptr<RequestSource>> sources(run::parts_of(plan->spec));
    if (plan->sources_of_requests != nullptr) {
      const auto parts = static_cast<uint32_t>(sources.size());
      for (uint32_t i = 0; i < parts; ++i) sources[i] = plan->sources_of_requests->make(i, parts);
    }
    const bool any_target = load::granted_wants(sources[0].get(), plan->spec.pipelining).targets;
    // Each request to a name that did not resolve will be an error of its own.
    if (any_target) plan->setup_errors.clear();
    run::split(*plan, any_target);
    for (const load::WorkerPlan& part : plan->workers) {
      std::unique_ptr<RequestSource>& source = sources[part.index];
      workers.push_back(std::make_unique<load::Worker>(part, signals, std::move(source)));
    }
    begin();
  }

  // Not before the workers are there: making many takes time that is no part of the run.
  void begin() {
    host.start();
    start_ns = base::now_ns();
    start_unix_ns = base::unix_now_ns();
  }

  // A machine without room for another thread ends the run, with a report of what there is.
  void start_thread(load::Worker& worker) {
    try {
      threads.emplace_back([this, &worker] {
        const bool separated = tables_per_worker && separate_descriptors(worker);
        work(worker);
        if (separated) net::close_separated_descriptors();
      });
    } catch (const std::system_error& error) {
      plan->setup_errors.push_back({ErrorKind::kOutOfMemory, Phase::kConnect,
                                    fmt::format("start worker thread {} of {}: {} (ulimit -u)",
                                                threads.size() + 1, workers.size(), error.what()),
                                    1, 0});
      signals.stop(StoppedBy::kBailout);
      work(worker);  // on this thread: it sees the stop at once
    }
  }

  bool separate_descriptors(const load::Worker& worker) const {
    std::vector<int> kept = signals.descriptors();
    const std::vector<int> own = worker.descriptors();
    kept.insert(kept.end(), own.begin(), own.end());
    return net::separate_descriptors(std::move(kept));
  }

  void work(load::Worker& worker) {
    // The default lets the kernel end each sleep 50 µs late, to save power.
    prctl(PR_SET_TIMERSLACK, 1UL);
    worker.open(start_ns);
    while (worker.turn(true)) {
    }
    const std::lock_guard lock(mutex);
    ++workers_ended;
    ended.notify_all();
  }

  int64_t elapsed_ns() const { return base::now_ns() - start_ns; }

  RunResult result() {
    RunResult result = run::merge_workers(*plan, signals, workers, start_ns, base::now_ns());
    // The load of an open loop begins when its connections are made.
    const int64_t load_start_ns = signals.start_ns();
    const int64_t connecting_ns = load_start_ns == 0 ? 0 : load_start_ns - start_ns;
    result.start_unix_ns = start_unix_ns + connecting_ns;
    result.host = host.finish(static_cast<int64_t>(descriptors()));
    if (plan->sources_of_requests != nullptr) {
      std::string text = plan->sources_of_requests->data_error();
      if (!text.empty()) {
        // Nothing comes after it.
        if (!result.series.empty()) ++result.series.back().errors;
        result.errors.push_back({ErrorKind::kDataFile, Phase::kWrite, std::move(text), 1, 0});
      }
    }
    return result;
  }
};

Run::Run(std::unique_ptr<State> state) : state_(std::move(state)) {}

Run::~Run() {
  stop();
  for (std::thread& thread : state_->threads) {
    if (thread.joinable()) thread.join();
  }
}

Expected<std::unique_ptr<Run>> Run::create(RunSpec spec, Observer* observer) {
  auto plan = run::make_plan(std::move(spec));
  if (!plan) return unexpected(plan.error());
  auto state = std::make_unique<State>(std::move(*plan), observer);
  if (auto enough = state->check_descriptors(); !enough) return unexpected(enough.error());
  state->check_targets();
  return std::unique_ptr<Run>(new Run(std::move(state)));
}

double Run::expected_requests() const {
  const std::optional<load::RatePlan>& rate = state_->plan->load.rate;
  if (!rate) return 0;
  return pace::expected_arrivals(rate->profile, rate->spec, rate->load_ns, rate->amount);
}

const std::vector<std::string>& Run::warnings() const { return state_->warnings; }

void Run::resolve() { run::resolve_targets(*state_->plan, state_->signals.stop_flag()); }

void Run::start() {
  state_->prepare();
  for (auto& worker : state_->workers) state_->start_thread(*worker);
}

RunResult Run::wait() {
  State& s = *state_;
  s.observing.tell_setup(s.plan->setup_errors);
  const auto all_ended = [&s] { return s.workers_ended == s.workers.size(); };
  std::unique_lock lock(s.mutex);
  while (!s.ended.wait_for(lock, std::chrono::nanoseconds(kTellPeriodNs), all_ended)) {
    lock.unlock();
    s.observing.tell(s.workers, s.elapsed_ns());
    lock.lock();
  }
  lock.unlock();
  for (std::thread& thread : s.threads) thread.join();
  s.threads.clear();
  s.observing.tell(s.workers, s.elapsed_ns());
  return s.result();
}

void Run::open() {
  CHECK(state_->plan->spec.workers == 1);
  state_->prepare();
  state_->observing.tell_setup(state_->plan->setup_errors);
  for (auto& worker : state_->workers) worker->open(state_->start_ns);
  state_->next_tell_ns = base::now_ns() + kTellPeriodNs;
}

int Run::poll_fd() const { return state_->workers.empty() ? -1 : state_->workers[0]->poll_fd(); }

void Run::turn() {
  State& s = *state_;
  if (finished()) return;
  const bool goes_on = s.workers[0]->turn(false);
  const int64_t now_ns = base::now_ns();
  if (goes_on && now_ns < s.next_tell_ns) return;
  s.next_tell_ns = now_ns + kTellPeriodNs;
  s.observing.tell(s.workers, s.elapsed_ns());
}

void Run::destroy(uint32_t connection) {
  if (!state_->workers.empty()) state_->workers[0]->destroy(connection);
}

bool Run::finished() const { return state_->workers.empty() || state_->workers[0]->done(); }

RunResult Run::result() {
  CHECK(finished());
  return state_->result();
}

void Run::stop() { state_->signals.stop(StoppedBy::kUser); }

}  // namespace carronade
