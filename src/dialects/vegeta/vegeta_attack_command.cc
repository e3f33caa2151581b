#include "dialects/vegeta/vegeta_attack_command.h"

#include <fmt/format.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "carronade/run.h"
#include "cli/exit_codes.h"
#include "cli/go_flags.h"
#include "cli/output.h"
#include "cli/record_writer.h"
#include "cli/stop_signals.h"
#include "dialects/vegeta/vegeta_attack_source.h"
#include "dialects/vegeta/vegeta_attack_spec.h"
#include "dialects/vegeta/vegeta_output.h"
#include "dialects/vegeta/vegeta_text.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr int kExitWrongFlag = 2;
// What waits for the writer, of all workers together.
constexpr size_t kQueueBytes = size_t{128} << 20;

std::string environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

// Ends the run when there is a reason to that its own limits do not know.
class AttackObserver : public Observer {
 public:
  AttackObserver(AttackState& state, const ResultStream& stream, const cli::StopSignals& signals)
      : state_(state), stream_(stream), signals_(signals) {}

  void watch(Run& run) { run_ = &run; }

  void on_progress(const Progress&) override {
    const bool idle = state_.open.load() == 0;
    const bool over = state_.stopping.load() || state_.targets_over.load();
    if ((over && idle) || signals_.count() > 1 || stream_.failed()) run_->stop();
  }

 private:
  AttackState& state_;
  const ResultStream& stream_;
  const cli::StopSignals& signals_;
  Run* run_ = nullptr;
};

class Attack {
 public:
  explicit Attack(const AttackOptions& options)
      : options_(options), rules_{options.name, options.chunked, options.keep_alive} {}

  int run(int64_t cpus) {
    if (const auto good = check_options(options_); !good) return fail(good.error().text);
    if (const auto good = open_targets(); !good) return fail(good.error().text);
    for (const std::string& line : feed_->dropped()) {
      fail("warning: header not sent, since it follows from the body: " + line);
    }
    if (options_.dns_ttl_ns != 0) {
      fail("warning: names are looked up once, before the attack: -dns-ttl has no effect");
    }
    Expected<RunSpec> spec = attack_spec(options_, *hosts_, cpus);
    if (!spec) return fail(spec.error().text);
    Expected<ResultOutput> output = ResultOutput::open(options_.output_file);
    if (!output) {
      return fail(fmt::format("error opening {}: {}", options_.output_file, output.error().text));
    }
    return attack(std::move(*spec), std::move(*output));
  }

 private:
  Expected<Body> load_body() const {
    if (options_.body_file.empty()) return Body();
    const Expected<base::UniqueFd> fd = open_input(options_.body_file);
    if (!fd) {
      return unexpected(fmt::format("error opening {}: {}", options_.body_file, fd.error().text));
    }
    Expected<std::string> bytes = read_all(*fd, options_.body_file);
    if (!bytes) {
      return unexpected(
          fmt::format("error reading {}: {}", options_.body_file, bytes.error().text));
    }
    return std::make_shared<const std::string>(std::move(*bytes));
  }

  Expected<void> open_targets() {
    Expected<base::UniqueFd> fd = open_input(options_.targets_file);
    if (!fd) {
      return unexpected(
          fmt::format("error opening {}: {}", options_.targets_file, fd.error().text));
    }
    Expected<Body> body = load_body();
    if (!body) return unexpected(body.error());
    base::UniqueFd stop(options_.lazy ? ::eventfd(0, EFD_CLOEXEC) : -1);
    auto reader = make_target_reader(
        options_.format, LineReader(std::move(*fd), stop.get()),
        {.headers = options_.headers, .body = std::move(*body), .share_bodies = !options_.lazy});
    if (!reader) return unexpected(reader.error());
    Expected<Proxies> proxies = Proxies::from(environment);
    if (!proxies) return unexpected(proxies.error());
    hosts_ = std::make_unique<AttackHosts>(std::move(*proxies), options_.connect_to);
    if (!options_.lazy) {
      auto list = read_targets(**reader, rules_, *hosts_);
      if (!list) return unexpected(list.error());
      feed_ = std::move(*list);
      signals_.emplace();
      return {};
    }
    signals_.emplace();
    auto lazy = LazyFeed::start(std::move(*reader), std::move(stop), rules_, *hosts_,
                                [this] { return signals_->received() != 0; });
    if (!lazy) return unexpected(lazy.error());
    feed_ = std::move(*lazy);
    return {};
  }

  static std::vector<std::unique_ptr<cli::RecordQueue>> queues(uint32_t workers) {
    std::vector<std::unique_ptr<cli::RecordQueue>> all;
    for (uint32_t i = 0; i < workers; ++i) {
      all.push_back(std::make_unique<cli::RecordQueue>(kQueueBytes / workers));
    }
    return all;
  }

  int attack(RunSpec spec, ResultOutput output) {
    const std::string output_name = output.name();
    const int64_t unix_ns = base::unix_now_ns();
    const int64_t clock_ns = base::now_ns();
    ResultStream stream(std::move(output), {.attack_name = options_.name,
                                            .max_body = options_.max_body,
                                            .zone_minutes = local_zone_minutes(unix_ns)});
    cli::RecordWriter records(
        queues(spec.workers),
        [&stream](std::string_view message) { return stream.consume(message); },
        [&stream] { return stream.flush(); });
    AttackState state{.options = options_,
                      .rules = rules_,
                      .hosts = *hosts_,
                      .feed = *feed_,
                      .records = records,
                      .unix_minus_clock_ns = unix_ns - clock_ns,
                      .look_ahead = std::clamp<size_t>(spec.connections / spec.workers, 1, 1024)};
    if (options_.duration_ns > 0) feed_->wait_until(clock_ns + options_.duration_ns);
    if (!spec.rate && options_.duration_ns > 0) state.requests_for_ns = options_.duration_ns;
    spec.make_source = [&state](uint32_t worker, uint32_t) {
      return std::make_unique<AttackSource>(state, worker);
    };
    AttackObserver observer(state, stream, *signals_);
    const Expected<RunResult> result = execute(std::move(spec), state, observer);
    if (!result) return fail(result.error().text);
    const Expected<void> written = records.finish();
    return conclude(*result, state, written, output_name);
  }

  Expected<RunResult> execute(RunSpec spec, AttackState& state, AttackObserver& observer) {
    auto run = Run::create(std::move(spec), &observer);
    if (!run) return unexpected(run.error());
    for (const std::string& line : (*run)->warnings()) fail("warning: " + line);
    observer.watch(**run);
    // The second signal ends the run; what was measured until then is written all the same.
    const cli::StopSignals::Hold hold(*signals_);
    const cli::StopSignals::Watch watch(*signals_, [this, &state] {
      state.stopping.store(true);
      feed_->stop();
    });
    return (*run)->execute();
  }

  // What is to be said of an attack that its results do not say.
  int conclude(const RunResult& result, const AttackState& state, const Expected<void>& written,
               const std::string& output_name) const {
    int exit = cli::kExitOk;
    const auto count = [](uint64_t number) { return base::format_thousands(number); };
    if (result.stopped_by == StoppedBy::kUnresolved) {
      for (const ErrorCount& error : result.errors) exit = fail(error.text);
      if (exit == cli::kExitOk) exit = fail("no host of the targets could be looked up");
    }
    if (const std::string error = feed_->error(); !error.empty()) exit = fail(error);
    const uint64_t lost = state.records.lost() - state.losses.tried_twice.load();
    if (!written) {
      return fail(fmt::format(
          "{}: the attack was ended; {} requests were sent, {} answered, {} results are missing",
          written.error().text, count(result.sent), count(result.answered), count(lost)));
    }
    if (lost > 0) {
      fail(fmt::format("{} results are missing in {}: what reads or stores them was too slow",
                       count(lost), output_name));
    }
    if (const uint64_t bodies = state.losses.without_body.load(); bodies > 0) {
      fail(
          fmt::format("{} results in {} are without the body of the answer: what reads or stores "
                      "them was too slow (-max-body says how much of it is wanted)",
                      count(bodies), output_name));
    }
    if (result.in_flight > 0) {
      fail(fmt::format("{} requests were in flight at the end: they have no result",
                       count(result.in_flight)));
    }
    if (const uint64_t waits = feed_->waits(); waits > 0) {
      fail(
          fmt::format("the targets came too slowly: {} requests waited for them, and the wait "
                      "counts in their latency",
                      count(waits)));
    }
    return exit;
  }

  const AttackOptions& options_;
  const RequestRules rules_;
  std::unique_ptr<AttackHosts> hosts_;
  std::optional<cli::StopSignals> signals_;  // before any thread
  std::unique_ptr<TargetFeed> feed_;
};

}  // namespace

int attack_command(std::span<const std::string> args, int64_t cpus) {
  cli::ignore_broken_pipes();
  AttackOptions options;
  const cli::FlagTable table = attack_flags(options);
  const Expected<cli::Operands> operands = cli::parse_go_flags(table, args);
  if (!operands || options.help) {
    if (!operands) cli::tell("", operands.error().text);
    (void)cli::write_stderr("Usage of vegeta attack:\n" + cli::go_flag_defaults(table));
    return operands ? cli::kExitOk : kExitWrongFlag;
  }
  return Attack(options).run(cpus);
}

}  // namespace carronade::dialects::vegeta
