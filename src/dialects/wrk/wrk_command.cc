#include "dialects/wrk/wrk_command.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/cli_run.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/stop_signals.h"
#include "dialects/wrk/wrk_flags.h"
#include "dialects/wrk/wrk_messages.h"
#include "dialects/wrk/wrk_report.h"
#include "dialects/wrk/wrk_spec.h"
#include "dialects/wrk/wrk_url.h"
#include "report/result_json.h"
#include "script/script.h"

namespace carronade::dialects::wrk {
namespace {

using script::Script;

// One command from its options to its exit code.
class Command {
 public:
  explicit Command(bool wrk2) { options_.wrk2 = wrk2; }

  int run(std::span<const std::string> args) {
    const Expected<void> read = read_command_line(options_, args);
    if (options_.version) print(version_text());
    if (!read) return show_usage(read.error().text);
    auto site = read_url(options_.args.front(), options_.quirks);
    if (!site) return show_usage(site.error().text);
    site_ = std::move(*site);
    if (const auto ready = prepare(); !ready) {
      flush_script();
      tell_script_fault(ready.error().text);
      return cli::kExitUsage;
    }
    return flush_script() ? execute() : cli::kExitUsage;
  }

 private:
  std::string_view name() const { return options_.wrk2 ? "wrk2" : "wrk"; }
  void tell(const std::string& text) const { cli::tell("", text); }
  static void tell_script_fault(const std::string& text) {
    (void)cli::write_stderr(script_message(text) + "\n");
  }
  void warn(const std::string& text) const { cli::tell(name(), "warning: " + text); }
  bool print(const std::string& text) const { return cli::write_report(name(), text); }

  std::string version_text() const {
    const std::string_view version = options_.wrk2 ? "4.0.0" : "4.1.0";
    return fmt::format("{} {} [epoll] spoken by carronade {}\n", name(), version,
                       report::version());
  }

  int show_usage(const std::string& text) const {
    if (!text.empty()) tell(text);
    print(wrk_usage(options_.wrk2));
    return cli::kExitUsage;
  }

  // False when what a script printed cannot be written, which has been told then.
  bool flush_script() const {
    const Expected<void> flushed = Script::flush_output();
    if (!flushed) tell(std::string(name()) + ": " + flushed.error().text);
    return flushed.has_value();
  }

  // The script, the addresses, setup() and init().
  Expected<void> prepare() {
    std::vector<std::string> warnings;
    auto loaded = Script::load(script_settings(options_, site_, warnings));
    for (const std::string& line : warnings) warn(line);
    if (!loaded) return unexpected(loaded.error());
    script_ = std::move(*loaded);
    for (const std::string& line : script_->warnings()) tell_script_fault(line);
    if (auto resolved = script_->resolve(); !resolved) return resolved;
    return script_->set_up();
  }

  WrkReportOptions report_options() const {
    return {.url = options_.args.front(),
            .threads = static_cast<uint32_t>(options_.threads),
            .connections = options_.connections,
            .duration_s = options_.duration_s,
            .latency = options_.latency,
            .service_time = options_.service_time,
            .wrk2 = options_.wrk2,
            .quirks = options_.quirks};
  }

  int execute() {
    cli::StopSignals signals;
    const WrkReportOptions facts = report_options();
    Observer nobody;
    const auto ready = [&](Run& run) {
      for (const std::string& line : run.warnings()) warn(line);
      script_->on_failure([&run] { run.stop(); });
      // A report that cannot be written is told when the rest of it follows.
      (void)cli::write_stdout(wrk_heading(facts));
    };
    Expected<RunResult> result =
        cli::run_to_end(wrk_spec(options_, site_, *script_), nobody, signals, ready);
    script_->on_failure(nullptr);
    if (!result) {
      tell(std::string(name()) + ": " + result.error().text);
      return cli::kExitUsage;
    }
    if (options_.quirks) sit_out(*result, signals);
    const bool flushed = flush_script();
    const bool printed = print(wrk_report(*result, facts));
    explain(*result);
    const bool done = finish(*result, facts);
    return flushed && printed && done ? cli::kExitOk : cli::kExitUsage;
  }

  // wrk lasts as long as it was told, also when its threads have stopped.
  void sit_out(RunResult& result, cli::StopSignals& signals) const {
    const auto duration_ns = static_cast<int64_t>(options_.duration_s) * 1'000'000'000;
    if (result.stopped_by != StoppedBy::kData || result.elapsed_ns >= duration_ns) return;
    if (!script_->failure().empty()) return;
    if (!signals.wait(duration_ns - result.elapsed_ns)) result.elapsed_ns = duration_ns;
  }

  // What the report's counters do not tell, on standard error.
  void explain(const RunResult& result) const {
    for (const ErrorCount& error : result.errors) {
      warn(fmt::format("{} ({} times)", error.text, error.count));
    }
    if (!options_.wrk2) return;
    for (const std::string& line : wrk2_warnings(result)) warn(line);
  }

  // done(), and what a hook said that ended the run. False when one failed.
  bool finish(const RunResult& result, const WrkReportOptions& facts) {
    const std::string failure = script_->failure();
    if (!failure.empty()) tell_script_fault(std::string(name()) + ": " + failure);
    const WrkDone objects = done_objects(result, facts);
    const Expected<void> done = script_->done(objects.summary, objects.latency, objects.requests);
    const bool flushed = flush_script();
    if (!done) tell_script_fault(std::string(name()) + ": " + done.error().text);
    return failure.empty() && done && flushed;
  }

  WrkOptions options_;
  script::ScriptSite site_;
  std::unique_ptr<Script> script_;
};

}  // namespace

int wrk_command(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  return Command(/*wrk2=*/false).run(args);
}

int wrk2_command(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  return Command(/*wrk2=*/true).run(args);
}

}  // namespace carronade::dialects::wrk
