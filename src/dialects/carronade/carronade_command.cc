#include "dialects/carronade/carronade_command.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "base/text.h"
#include "carronade/run.h"
#include "carronade/verdict.h"
#include "cli/build_facts.h"
#include "cli/cli_run.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/output_file.h"
#include "dialects/carronade/carronade_docs.h"
#include "dialects/carronade/carronade_spec.h"
#include "dialects/carronade/on_port.h"
#include "dialects/carronade/request_files.h"
#include "report/hdr_log.h"
#include "report/result_json.h"

namespace carronade::dialects {
namespace {

std::optional<std::string> port_variable() {
  const char* port = std::getenv("PORT");
  if (port == nullptr || *port == '\0') return std::nullopt;
  return port;
}

// One command from its options to its exit code.
class Command {
 public:
  Command(const Options& options, Form form)
      : options_(options), strict_(form == Form::kStrict), form_(form) {}

  int run(const cli::Operands& operands) {
    if (options_.version) return print(version_text());
    if (options_.print_man) return print(carronade_man());
    if (options_.print_compat) return print(autocannon_compat_page());
    const bool no_url = operands.words.empty();
    if (options_.help || (strict_ && no_url)) return print_help();
    const auto program = program_to_start(options_, operands);
    if (!program) return fail(program.error().text);
    if (no_url) return fail("no URL given; carronade --help lists the options");
    return program->empty() ? carry_out(options_, operands, port_variable())
                            : start_and_carry_out(*program, operands);
  }

  // One line on standard error; autocannon puts no name before it and has one text of several.
  int fail(const std::string& text) const {
    if (!strict_) {
      cli::tell("carronade", text);
    } else {
      for (const std::string_view line : base::split(text, '\n')) cli::tell("", line);
    }
    return cli::kExitUsage;
  }

 private:
  // `port` is where the URLs go that are paths.
  int carry_out(const Options& options, const cli::Operands& operands,
                const std::optional<std::string>& port) {
    auto job = make_job(options, operands, port, form_);
    if (!job) return refuse(job.error());
    for (const std::string& line : job->warnings) warn(line);
    for (const std::string& line : job->skipped) {
      if (strict_) fail("Warning: " + line);
      warn(line);  // says nothing in the strict form
    }
    return options_.dry_run ? show_targets(job->main.spec) : execute(std::move(*job));
  }

  // What can be refused is refused before anything is started; of a HAR file that depends on the
  // port.
  int start_and_carry_out(const std::vector<std::string>& program, const cli::Operands& operands) {
    Options options = options_;
    if (const SpecResult read = load_body(options); !read) return refuse(read.error());
    if (options.har_file.empty()) {
      const auto tried = make_job(options, complete(operands, "80"), "80", form_);
      if (!tried) return refuse(tried.error());
    }
    signals_.emplace();
    auto started = OnPort::start(program, *signals_, options.on_port_timeout_ns);
    if (!started) {
      fail(started.error().text);
      const int signal = signals_->received();
      return signal == 0 ? cli::kExitUsage : cli::kExitSignalBase + signal;
    }
    server_ = std::move(*started);
    if (!server_->note().empty()) warn(server_->note());
    return carry_out(options, complete(operands, server_->port()), server_->port());
  }

  // Beside --on-port autocannon takes a word without a scheme for a host, unless it is a path;
  // with PORT alone it does not.
  cli::Operands complete(cli::Operands operands, const std::string& port) const {
    if (!strict_) return operands;
    for (std::string& word : operands.words) word = complete_url(word, port, Form::kPlain);
    return operands;
  }

  void stop_server() {
    if (!server_) return;
    if (const std::string text = server_->stop(*signals_); !text.empty()) warn(text);
    server_.reset();
  }

  // Whether the program that the rounds need has died, which is told then.
  bool server_died(bool still_answers) const {
    const std::string text = server_ ? server_->death(still_answers) : "";
    if (text.empty()) return false;
    cli::tell(strict_ ? "" : "carronade", "warning: " + text + ": there is no further round");
    return true;
  }

  int refuse(const SpecError& error) const {
    fail(error.text);
    return strict_ && error.strict_exits_ok ? cli::kExitOk : cli::kExitUsage;
  }

  static int print(const std::string& text) {
    return cli::write_text("carronade", text) ? cli::kExitOk : cli::kExitUsage;
  }

  std::string version_text() const {
    if (strict_) return fmt::format("autocannon v8.0.0\ncarronade v{}\n", report::version());
    return fmt::format("carronade {}\nfeatures: {}\nbuild: {}\n", report::version(),
                       cli::feature_list(), cli::build_description());
  }

  int print_help() const {
    if (!strict_) return print(carronade_help(form_));
    return cli::write_stderr(carronade_help(form_)) ? cli::kExitOk : cli::kExitUsage;
  }

  void warn(const std::string& text) const {
    if (!strict_) cli::tell("carronade", "warning: " + text);
  }

  int show_targets(const RunSpec& spec) const {
    const Expected<std::vector<DryTarget>> targets = dry_run(spec);
    if (!targets) return fail(targets.error().text);
    // Exact bytes for a file or a pipe; a terminal is spared the control bytes.
    const bool escape = cli::stdout_is_terminal();
    std::string text;
    bool any_resolved = false;
    for (const DryTarget& target : *targets) {
      any_resolved = any_resolved || !target.addresses.empty();
      std::string where = target.resolve_error;
      for (const std::string& address : target.addresses) {
        where += (where.empty() ? "" : ", ") + address;
      }
      text += fmt::format("# {}, addresses: {}, request: {} bytes\n", target.origin, where,
                          target.request.size());
      text += escape ? cli::wire_lines(target.request, "") : target.request;
      if (!text.ends_with('\n')) text += '\n';
    }
    const int printed = print(text);
    return any_resolved ? printed : fail("no address was found for any URL");
  }

  int execute(Job job) {
    if (!open_file(options_.hdr_file, hdr_file_) || !open_file(options_.hgrm_file, hgrm_file_)) {
      return cli::kExitUsage;
    }
    if (!signals_) signals_.emplace();
    cli::StopSignals& signals = *signals_;
    std::optional<RunResult> warmup;
    if (job.warmup) {
      warmup = fire(*job.warmup, signals, /*is_warmup=*/true);
      if (!warmup) return cli::kExitUsage;
      if (strict_ && options_.json) {
        (void)cli::write_report("carronade",
                                json_report(*warmup, job.warmup->facts, nullptr) + "\n");
      }
    }
    std::optional<RunResult> result;
    if (warmup && signals.received() != 0) {
      fail("stopped during the warm-up: nothing was measured");
      result = nothing_measured(job.main.spec, *warmup);
    } else if (options_.forever) {
      return repeat(job.main, signals, std::move(warmup));
    } else {
      result = fire(job.main, signals, /*is_warmup=*/false);
    }
    if (!result) return cli::kExitUsage;
    stop_server();
    const bool printed = report(*result, job.main.facts, warmup);
    const bool filed = write_files(*result, job.main.facts, warmup);
    if (!printed || !filed) return cli::kExitUsage;
    return exit_code(is_invalid(*result), result->answered > 0, signals);
  }

  // Rounds until a signal or the end of --on-port's program, with a report of each.
  int repeat(const RunPart& part, cli::StopSignals& signals, std::optional<RunResult> warmup) {
    bool invalid = false;
    bool answered = false;
    while (true) {
      RunPart round = part;
      const std::optional<RunResult> result = fire(round, signals, /*is_warmup=*/false);
      if (!result) return cli::kExitUsage;
      const bool last = signals.received() != 0 || server_died(result->answered > 0);
      if (last) stop_server();
      // autocannon prints neither JSON nor tables then.
      const bool silent = strict_ && options_.json;
      if (!silent && !report(*result, part.facts, warmup)) return cli::kExitUsage;
      warmup.reset();
      invalid = invalid || is_invalid(*result);
      answered = answered || result->answered > 0;
      if (last) return exit_code(invalid, answered, signals);
      // Nobody there: no reason to fill the screen.
      constexpr int64_t kLeastNs = 1'000'000'000;
      const int64_t pause_ns = result->answered > 0 ? 0 : kLeastNs - result->elapsed_ns;
      if (signals.wait(pause_ns)) return exit_code(invalid, answered, signals);
    }
  }

  bool is_invalid(const RunResult& result) const {
    return options_.strict_verdict && judge(result).state == VerdictState::kInvalid;
  }

  int exit_code(bool invalid, bool answered, const cli::StopSignals& signals) const {
    if (invalid) return cli::kExitInvalid;
    if (!strict_) return cli::exit_code_of(answered);
    return signals.received() == 0 ? cli::kExitOk : cli::kExitSignalBase + signals.received();
  }

  // False when the path does not work, which has been told then.
  bool open_file(const std::string& path, std::optional<cli::OutputFile>& file) const {
    if (path.empty()) return true;
    Expected<cli::OutputFile> opened = cli::OutputFile::open(path);
    if (!opened) {
      fail(opened.error().text);
      return false;
    }
    file = std::move(*opened);
    return true;
  }

  bool write_files(const RunResult& result, const ReportFacts& facts,
                   const std::optional<RunResult>& warmup) {
    const auto write = [this](std::optional<cli::OutputFile>& file, const auto& text) {
      if (!file) return true;
      const Expected<void> written = file->write(text());
      if (!written) fail(written.error().text);
      return written.has_value();
    };
    const RunResult* before = warmup ? &*warmup : nullptr;
    const bool log = write(hdr_file_, [&] { return report::hdr_log_text(result, before); });
    const bool table =
        write(hgrm_file_, [&] { return report::hgrm_text(main_latency(result, facts)); });
    return log && table;
  }

  // What a run found that the user stopped during its warm-up.
  static RunResult nothing_measured(const RunSpec& spec, const RunResult& warmup) {
    RunResult result;
    result.stopped_by = StoppedBy::kUser;
    result.start_unix_ns = warmup.start_unix_ns + warmup.elapsed_ns;
    result.connections_asked = spec.connections;
    result.sample_interval_ns = spec.sample_interval_ns;
    if (spec.rate) {
      result.rate.emplace().pace = spec.rate->pace;
    } else {
      result.planned = result.dropped = spec.amount.value_or(0);
    }
    return result;
  }

  // Uses the spec up: a body in it may be large. Nothing when the run could not be set up; the
  // reason has been told then.
  std::optional<RunResult> fire(RunPart& part, cli::StopSignals& signals, bool is_warmup) {
    const bool terminal = cli::stderr_is_terminal();
    const bool colour = terminal && cli::environment_allows_colour();
    const bool wanted = options_.progress && !options_.quiet && !options_.json;
    const auto ready = [&, facts = part.facts, amount = part.spec.amount,
                        duration_ns = part.spec.duration_ns](const Run& run) {
      for (const std::string& line : run.warnings()) warn(line);
      // autocannon writes its header wherever standard error goes, the bar only to a terminal.
      if (wanted && (terminal || strict_)) (void)cli::write_stderr(run_header(facts, is_warmup));
      if (!wanted || strict_ || facts.load.empty()) return;
      cli::tell(
          is_warmup ? "warmup" : "",
          expecting_line(run.expected_requests(), amount ? std::nullopt : duration_ns, facts));
    };
    std::optional<report::ProgressGoal> goal;
    if (wanted && terminal) {
      goal = report::ProgressGoal{.label = is_warmup ? "warmup" : "running",
                                  .duration_ns = part.spec.duration_ns,
                                  .amount = part.spec.amount};
    }
    cli::RunObserver observer(goal, colour, debug_output());
    Expected<RunResult> result = cli::run_to_end(std::move(part.spec), observer, signals, ready);
    if (result) return std::move(*result);
    fail(result.error().text);
    return std::nullopt;
  }

  cli::DebugOutput debug_output() const {
    if (!options_.debug) return cli::DebugOutput::kNone;
    return strict_ ? cli::DebugOutput::kErrors : cli::DebugOutput::kExchange;
  }

  // False when it could not be written.
  bool report(const RunResult& result, ReportFacts facts,
              const std::optional<RunResult>& warmup) const {
    if (options_.json) {
      const RunResult* before = warmup ? &*warmup : nullptr;
      return cli::write_report("carronade", json_report(result, facts, before) + "\n");
    }
    if (!strict_) {
      facts.colour = cli::stdout_is_terminal() && cli::environment_allows_colour();
      return cli::write_report("carronade", text_report(result, facts));
    }
    if (options_.quiet) return true;
    facts.colour = cli::stderr_is_terminal() && cli::environment_allows_colour();
    return cli::write_stderr(text_report(result, facts)).has_value();
  }

  const Options& options_;
  bool strict_;
  Form form_;
  std::optional<cli::OutputFile> hdr_file_;
  std::optional<cli::OutputFile> hgrm_file_;
  std::optional<cli::StopSignals> signals_;  // before the thread of any run
  std::unique_ptr<OnPort> server_;           // of --on-port; gone when the report is made
};

}  // namespace

int carronade_command(std::span<const std::string> args, Form form) {
  cli::ignore_broken_pipes();
  Options options;
  const Expected<cli::Operands> operands = cli::parse_minimist(carronade_flags(options), args);
  Command command(options, form);
  if (!operands) return command.fail(operands.error().text);
  if (args.empty() && form == Form::kPlain) {
    (void)cli::write_stderr(carronade_help(form));
    return cli::kExitUsage;
  }
  return command.run(*operands);
}

}  // namespace carronade::dialects
