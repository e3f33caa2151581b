#include "dialects/gobench/gobench_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/cli_run.h"
#include "cli/exit_codes.h"
#include "cli/go_flags.h"
#include "cli/output.h"
#include "cli/stop_signals.h"
#include "dialects/gobench/gobench_flags.h"
#include "dialects/gobench/gobench_report.h"
#include "dialects/gobench/gobench_spec.h"

namespace carronade::dialects::gobench {
namespace {

constexpr const char* kProgram = "gobench";
constexpr int kExitFlags = 2;  // of Go's flag package

// As many threads as Go would use.
uint32_t worker_count() {
  constexpr uint32_t kMost = 1024;
  const char* variable = std::getenv("GOMAXPROCS");
  const std::string_view text = variable == nullptr ? "" : variable;
  uint32_t asked = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), asked);
  const bool given = error == std::errc() && end == text.data() + text.size() && asked > 0;
  return std::clamp(given ? asked : std::thread::hardware_concurrency(), 1U, kMost);
}

int fail(std::string_view text, int code = cli::kExitUsage) {
  cli::tell(kProgram, text);
  return code;
}

int print_usage(int code) {
  (void)cli::write_stderr(gobench_usage());
  return code;
}

// What does not fit together is said on standard output, and the usage on standard error.
int refuse(const std::string& text) {
  if (!text.empty()) (void)cli::write_stdout(text + "\n");
  return print_usage(cli::kExitUsage);
}

// Nothing when the run could not be set up; the reason has been told then.
std::optional<RunResult> fire(std::optional<RunSpec> spec, int64_t clients) {
  const std::string opening =
      fmt::format("Dispatching {} clients\nWaiting for results...\n", clients);
  if (!spec) {
    (void)cli::write_stdout(opening);
    return RunResult{};
  }
  cli::StopSignals signals;
  Observer silent;
  Expected<RunResult> result =
      cli::run_to_end(std::move(*spec), silent, signals, [&opening](const Run& run) {
        for (const std::string& line : run.warnings()) cli::tell(kProgram, "warning: " + line);
        // The report tells when standard output cannot be written.
        (void)cli::write_stdout(opening);
      });
  if (result) return std::move(*result);
  fail(result.error().text);
  return std::nullopt;
}

int carry_out(const GobenchOptions& options) {
  if (options.url.empty() && options.urls_file.empty()) return refuse("");
  if (!options.requests && !options.period_s) return refuse("Requests or period must be provided");
  if (options.requests && options.period_s) {
    return refuse("Only one should be provided: [requests|period]");
  }
  if (options.clients < 0) return fail("-c can not be below 0", kExitFlags);
  Expected<std::optional<RunSpec>> spec = make_gobench_spec(options, worker_count());
  if (!spec) return fail(spec.error().text);
  const std::optional<RunResult> result = fire(std::move(*spec), options.clients);
  if (!result) return cli::kExitUsage;
  const bool printed = cli::write_report(kProgram, gobench_report(*result, options.quirks));
  for (const std::string& line : gobench_error_lines(*result)) cli::tell(kProgram, line);
  if (const std::string line = gobench_retry_line(*result); !line.empty()) {
    cli::tell(kProgram, line);
  }
  return printed ? cli::kExitOk : cli::kExitUsage;
}

}  // namespace

int gobench_command(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  GobenchOptions options;
  const Expected<cli::Operands> operands = cli::parse_go_flags(gobench_flags(options), args);
  if (!operands) {
    cli::tell("", operands.error().text);
    return print_usage(kExitFlags);
  }
  if (options.help) return print_usage(cli::kExitOk);
  if (!operands->words.empty()) {
    cli::tell(kProgram, fmt::format("warning: \"{}\" is no flag: it and what follows is ignored",
                                    operands->words.front()));
  }
  return carry_out(options);
}

}  // namespace carronade::dialects::gobench
