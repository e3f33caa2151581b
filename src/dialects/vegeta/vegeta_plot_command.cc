#include "dialects/vegeta/vegeta_plot_command.h"

#include <optional>
#include <vector>

#include "cli/exit_codes.h"
#include "cli/output.h"
#include "dialects/vegeta/vegeta_input_wait.h"
#include "dialects/vegeta/vegeta_output.h"
#include "dialects/vegeta/vegeta_plot.h"
#include "dialects/vegeta/vegeta_reader.h"
#include "dialects/vegeta/vegeta_result_flags.h"

namespace carronade::dialects::vegeta {

int plot_command(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  PlotOptions options;
  const CommandLine line = parse_command_line("plot", plot_flags(options), args);
  if (line.exit) return *line.exit;
  // One series takes that many times 40 bytes; beyond, no screen shows a difference.
  constexpr int64_t kMostThreshold = 10'000'000;
  if (options.threshold < 0 || options.threshold > kMostThreshold) {
    return fail("plot: -threshold has to be 0 to 10000000");
  }

  std::optional<InputWait> wait(std::in_place);
  Expected<ResultReader> reader = ResultReader::open(
      line.files, Detail::kFigures, [&wait](int fd) { return wait->before_read(fd); });
  if (!reader) return fail(reader.error().text);
  const Expected<ResultOutput> output = ResultOutput::open(options.output);
  if (!output) return fail(output.error().text);

  std::vector<std::string> names;
  for (size_t i = 0; i < reader->files(); ++i) names.push_back(reader->name(i));
  LatencyPlot plot(static_cast<size_t>(options.threshold), std::move(names));
  Result result;
  while (wait->between_results() && reader->next(result)) plot.add(result, reader->file());
  const bool cut_short = wait->cut_short();
  wait.reset();  // a signal ends the program from here on
  const Expected<void> written = output->write(plot.page(options.title));
  if (!written) fail(written.error().text);
  if (cut_short) tell_cut_short("plot");
  return told_faults(*reader) == cli::kExitOk && written ? cli::kExitOk : cli::kExitUsage;
}

}  // namespace carronade::dialects::vegeta
