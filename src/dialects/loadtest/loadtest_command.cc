#include "dialects/loadtest/loadtest_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cli/cli_run.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/stop_signals.h"
#include "dialects/loadtest/loadtest_config.h"
#include "dialects/loadtest/loadtest_flags.h"
#include "dialects/loadtest/loadtest_index.h"
#include "dialects/loadtest/loadtest_parsed.h"
#include "dialects/loadtest/loadtest_progress.h"
#include "dialects/loadtest/loadtest_report.h"
#include "dialects/loadtest/loadtest_request.h"
#include "dialects/loadtest/loadtest_settings.h"
#include "dialects/loadtest/loadtest_source.h"
#include "dialects/loadtest/loadtest_spec.h"
#include "dialects/loadtest/loadtest_words.h"
#include "report/result_json.h"

namespace carronade::dialects::loadtest {
namespace {

constexpr const char* kProgram = "loadtest";

int fail(std::string_view text) {
  cli::tell(kProgram, text);
  return cli::kExitUsage;
}

int refuse(const LoadtestMisuse& misuse) {
  (void)(misuse.on_stdout ? cli::write_stdout(misuse.text) : cli::write_stderr(misuse.text));
  if (misuse.with_help) (void)cli::write_stdout(loadtest_help());
  return misuse.exit_code;
}

int print(const std::string& text) {
  return cli::write_text(kProgram, text) ? cli::kExitOk : cli::kExitUsage;
}

// Nobody reads the counts of a run that is over before its first line.
bool has_progress_lines(const LoadtestSettings& settings) {
  constexpr double kFirstLine = static_cast<double>(kProgressIntervalNs) / 1e9;
  return !settings.quiet && settings.max_seconds.value_or(kFirstLine + 1) > kFirstLine;
}

// One run, from its settings to its exit code.
class LoadtestRun {
 public:
  explicit LoadtestRun(const LoadtestSettings& settings)
      : settings_(settings), spec_(make_loadtest_spec(settings)) {}

  int execute() {
    if (settings_.index_pattern) {
      Expected<IndexText> text =
          make_index_text(*settings_.index_pattern, spec_.targets.front(), settings_.proxy);
      if (!text) return fail(text.error().text);
      index_ = std::move(*text);
    }
    if (has_progress_lines(settings_)) tallies_ = std::vector<LoadtestTally>(spec_.workers);
    if (index_ || !tallies_.empty()) {
      spec_.make_source = [this](uint32_t worker, uint32_t) { return make_source(worker); };
    }
    cli::StopSignals signals;
    LoadtestProgress progress(tallies_, settings_.max_requests);
    const Expected<RunResult> result =
        cli::run_to_end(spec_, progress, signals, [](const Run& run) {
          for (const std::string& line : run.warnings()) cli::tell(kProgram, "warning: " + line);
        });
    if (!result) return fail(result.error().text);
    const bool printed =
        cli::write_report(kProgram, loadtest_report_text(make_loadtest_report(settings_, *result)));
    for (const std::string& note : loadtest_notes(*result)) cli::tell(kProgram, note);
    if (!printed) return cli::kExitUsage;
    return signals.received() == 0 ? cli::kExitOk : cli::kExitSignalBase + signals.received();
  }

 private:
  std::unique_ptr<RequestSource> make_source(uint32_t worker) {
    // The masks of two workers, and of two runs, differ.
    constexpr uint64_t kApart = 0xD1B54A32D192ED03;
    const uint64_t mask = static_cast<uint64_t>(base::unix_now_ns()) + worker * kApart;
    return std::make_unique<LoadtestSource>(tallies_.empty() ? nullptr : &tallies_[worker],
                                            index_ ? &*index_ : nullptr, last_index_, mask);
  }

  const LoadtestSettings& settings_;
  RunSpec spec_;
  std::optional<IndexText> index_;
  std::atomic<uint64_t> last_index_{0};
  std::vector<LoadtestTally> tallies_;
};

int carry_out(const LoadtestOptions& options, bool only_parse) {
  if (const LoadtestMisuse misuse = check_loadtest_words(options); !misuse.text.empty()) {
    return refuse(misuse);
  }
  const Expected<LoadtestConfig> config = find_loadtest_config();
  if (!config) return fail(config.error().text);
  const std::string reason = javascript_reason(options, *config);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  if (only_parse) {
    for (const std::string& line : header_complaints(options)) cli::tell("", line);
    return print(parsed_options_text(options, !reason.empty(), default_cores(cores)));
  }
  if (!reason.empty()) return fail(reason + " needs JavaScript: npx carronade loadtest has it");
  const Expected<LoadtestSettings> settings = make_loadtest_settings(options, *config, cores);
  if (!settings) return fail(settings.error().text);
  for (const std::string& line : header_complaints(options)) cli::tell("", line);
  return LoadtestRun(*settings).execute();
}

}  // namespace

int loadtest_command(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  const bool only_parse = !args.empty() && args.front() == "--parsed-options";
  if (only_parse) args = args.subspan(1);
  LoadtestOptions options;
  const LoadtestMisuse misuse = parse_loadtest_words(loadtest_flags(options), args, options.urls);
  if (options.help) return print(loadtest_help());
  if (!misuse.text.empty()) return refuse(misuse);
  if (options.version) {
    return print(
        fmt::format("Loadtest version: {} (carronade {})\n", kLoadtestVersion, report::version()));
  }
  return carry_out(options, only_parse);
}

}  // namespace carronade::dialects::loadtest
