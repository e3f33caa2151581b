#include "dialects/vegeta/vegeta_report_command.h"

#include <optional>
#include <utility>

#include "cli/exit_codes.h"
#include "cli/go_flags.h"
#include "cli/output.h"
#include "dialects/vegeta/vegeta_input_wait.h"
#include "dialects/vegeta/vegeta_metrics.h"
#include "dialects/vegeta/vegeta_output.h"
#include "dialects/vegeta/vegeta_reader.h"
#include "dialects/vegeta/vegeta_report.h"
#include "dialects/vegeta/vegeta_result_flags.h"
#include "dialects/vegeta/vegeta_spans.h"

namespace carronade::dialects::vegeta {
namespace {

enum class Kind : uint8_t { kText, kJson, kHist, kHdrplot };

struct Wanted {
  Kind kind = Kind::kText;
  std::optional<BucketCounts> buckets;
};

Expected<Wanted> wanted_report(const ReportOptions& options) {
  const std::string& type = options.type;
  constexpr std::string_view kHist = "hist";
  if (type.size() < kHist.size()) return unexpected("invalid report type: " + type);
  if (type == "plot") {
    return unexpected(
        std::string("The plot reporter has been deprecated and succeeded by the "
                    "vegeta plot command"));
  }
  if (type == "text") return Wanted{Kind::kText, std::nullopt};
  if (type == "hdrplot") return Wanted{Kind::kHdrplot, std::nullopt};
  const bool json = type == "json";
  if (!json && !type.starts_with(kHist)) {
    return unexpected("unknown report type: " + cli::go_quoted(type));
  }
  std::string bounds = options.buckets;
  if (json && bounds.empty()) return Wanted{Kind::kJson, std::nullopt};
  if (bounds.empty()) {
    bounds = type.substr(kHist.size());
    if (bounds.size() < 2) return unexpected("bad buckets: '" + bounds + "'");
  }
  Expected<BucketCounts> buckets = BucketCounts::parse(bounds);
  if (!buckets) return unexpected(buckets.error());
  return Wanted{json ? Kind::kJson : Kind::kHist, std::move(*buckets)};
}

class Reporter {
 public:
  Reporter(Wanted wanted, const ResultOutput& output)
      : wanted_(std::move(wanted)), output_(output) {}

  void add(const Result& result, size_t file) {
    if (wanted_.buckets) wanted_.buckets->add(result.latency_ns);
    if (wanted_.kind == Kind::kHist) return;
    metrics_.add(result);
    spans_.add(file, result.timestamp_unix_ns);
  }

  // In the place of the one before, where that is on a terminal. False when it cannot be written.
  bool print_again() const {
    constexpr std::string_view kClear = "\x1b[2J\x1b[0;0H";
    return print(output_.is_stdout() ? std::string(kClear) : std::string());
  }

  // What was measured is shown, wherever that can be.
  bool print(std::string text = {}) const {
    text += report();
    const Expected<void> written = output_.write(text);
    if (written) return true;
    fail(written.error().text + "; the report follows here");
    (void)cli::write_stderr(text);
    return false;
  }

  // Requests of several files with a gap between them: the rate is not that of any of them.
  void tell_gaps() const {
    const std::string text = spans_.gap_note(metrics_.requests());
    if (!text.empty()) cli::tell("vegeta", text);
  }

 private:
  std::string report() const {
    switch (wanted_.kind) {
      case Kind::kText:
        return text_report(metrics_);
      case Kind::kJson:
        return json_report(metrics_, wanted_.buckets ? &*wanted_.buckets : nullptr);
      case Kind::kHist:
        return hist_report(*wanted_.buckets);
      case Kind::kHdrplot:
        return hdrplot_report(metrics_);
    }
    return "";
  }

  Wanted wanted_;
  const ResultOutput& output_;
  ResultMetrics metrics_;
  FileSpans spans_;
};

}  // namespace

int report_command(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  ReportOptions options;
  const CommandLine line = parse_command_line("report", report_flags(options), args);
  if (line.exit) return *line.exit;
  Expected<Wanted> wanted = wanted_report(options);
  if (!wanted) return fail(wanted.error().text);

  std::optional<InputWait> wait(std::in_place);
  Expected<ResultReader> reader = ResultReader::open(
      line.files, Detail::kFigures, [&wait](int fd) { return wait->before_read(fd); });
  if (!reader) return fail(reader.error().text);
  const Expected<ResultOutput> output = ResultOutput::open(options.output);
  if (!output) return fail(output.error().text);

  Reporter reporter(std::move(*wanted), *output);
  bool printed = true;
  if (options.every_ns > 0) {
    wait->every(options.every_ns, [&] { return printed = reporter.print_again(); });
  }
  Result result;
  while (wait->between_results() && reader->next(result)) reporter.add(result, reader->file());
  const bool cut_short = wait->cut_short();
  wait.reset();  // a signal ends the program from here on
  if (printed) printed = reporter.print();
  if (cut_short) tell_cut_short("report");
  reporter.tell_gaps();
  return told_faults(*reader) == cli::kExitOk && printed ? cli::kExitOk : cli::kExitUsage;
}

}  // namespace carronade::dialects::vegeta
