#include "dialects/vegeta/vegeta_result_flags.h"

#include <fmt/format.h>

#include "cli/exit_codes.h"
#include "cli/flag_setters.h"
#include "cli/go_flags.h"
#include "cli/output.h"
#include "dialects/vegeta/vegeta_go_duration.h"
#include "dialects/vegeta/vegeta_output.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr int kExitWrongFlag = 2;

cli::Flag text_flag(std::string name, std::string doc, std::string& option) {
  return {.name = std::move(name),
          .kind = cli::ArgKind::kValue,
          .hint = "string",
          .doc = std::move(doc),
          .default_text = option.empty() ? "" : cli::go_quoted(option),
          .set = cli::set_text(option)};
}

}  // namespace

cli::FlagTable encode_flags(EncodeOptions& options) {
  return {text_flag("to", "Encoding to write: csv, gob or json", options.to),
          text_flag("output", "File to write to", options.output)};
}

cli::FlagTable report_flags(ReportOptions& options) {
  return {text_flag("type", "Kind of report: text, json, hist[BUCKETS] or hdrplot", options.type),
          text_flag("buckets", "Lower bounds of the histogram's buckets, as \"[0,1ms,10ms]\"",
                    options.buckets),
          {.name = "every",
           .kind = cli::ArgKind::kValue,
           .hint = "duration",
           .doc = "Print the report each time this has passed, not only at the end",
           .set = [&options](const cli::FlagValue& value) -> Expected<void> {
             const Expected<int64_t> interval_ns = parse_go_duration(value.text);
             if (!interval_ns) return unexpected(cli::invalid_go_value(value.text, "every"));
             options.every_ns = *interval_ns;
             return {};
           }},
          text_flag("output", "File to write to", options.output)};
}

cli::FlagTable plot_flags(PlotOptions& options) {
  return {text_flag("title", "Title of the page", options.title),
          {.name = "threshold",
           .kind = cli::ArgKind::kValue,
           .hint = "int",
           .doc = "Most points of one series; longer ones are thinned out, 0 keeps all",
           .default_text = fmt::format("{}", options.threshold),
           .set = cli::set_go_int("threshold", options.threshold)},
          text_flag("output", "File to write to", options.output)};
}

CommandLine parse_command_line(std::string_view command, const cli::FlagTable& table,
                               std::span<const std::string> args) {
  bool help = false;
  cli::FlagTable all = table;
  for (const char* name : {"h", "help"}) {
    all.push_back({.name = name, .set = [&help](const cli::FlagValue&) -> Expected<void> {
                     help = true;
                     return unexpected(std::string());
                   }});
  }
  Expected<cli::Operands> operands = cli::parse_go_flags(all, args);
  if (operands) return {std::move(operands->words), std::nullopt};
  const std::string usage =
      fmt::format("Usage: vegeta {} [flags] [file...]\n{}", command, cli::go_flag_defaults(table));
  if (!help) cli::tell("", operands.error().text);
  (void)cli::write_stderr(usage);
  return {{}, help ? cli::kExitOk : kExitWrongFlag};
}

int told_faults(const ResultReader& reader) {
  return reader.fault().empty() ? cli::kExitOk : fail(reader.fault());
}

void tell_cut_short(std::string_view command) {
  fail(fmt::format("{}: stopped before the end of the input: the results behind it are missing",
                   command));
}

}  // namespace carronade::dialects::vegeta
