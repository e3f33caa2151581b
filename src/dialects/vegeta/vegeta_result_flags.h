// The flags of the commands that read results.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "cli/flag_table.h"
#include "dialects/vegeta/vegeta_reader.h"

namespace carronade::dialects::vegeta {

struct EncodeOptions {
  std::string to = "json";
  std::string output = "stdout";
};
struct ReportOptions {
  std::string type = "text";
  std::string buckets;
  int64_t every_ns = 0;
  std::string output = "stdout";
};
struct PlotOptions {
  std::string title = "Vegeta Plot";
  int64_t threshold = 4000;
  std::string output = "stdout";
};

// The tables refer to the options, which must outlive them.
cli::FlagTable encode_flags(EncodeOptions& options);
cli::FlagTable report_flags(ReportOptions& options);
cli::FlagTable plot_flags(PlotOptions& options);

struct CommandLine {
  std::vector<std::string> files;
  std::optional<int> exit;  // to end with at once: help was asked for, or a flag was wrong
};
// Go's grammar, and what it prints: the flags after -h (exit 0), or after a wrong one (exit 2).
CommandLine parse_command_line(std::string_view command, const cli::FlagTable& table,
                               std::span<const std::string> args);

// What a command has to say at its end, when its results came from `reader`: 1 after a fault in a
// file, which is told then, else 0.
int told_faults(const ResultReader& reader);

// Says, as an error is told, that a signal ended the reading of `command` before its input ended.
void tell_cut_short(std::string_view command);

}  // namespace carronade::dialects::vegeta
