#include "dialects/wrk/wrk_flags.h"

#include <fmt/format.h>

#include "cli/flag_setters.h"
#include "cli/getopt_flags.h"
#include "dialects/wrk/wrk_units.h"

namespace carronade::dialects::wrk {
namespace {

using cli::ArgKind;
using cli::FlagSetter;
using cli::FlagValue;

std::string_view program(const WrkOptions& options) { return options.wrk2 ? "wrk2" : "wrk"; }

// wrk prints its usage only; this line in front of it says which of the options is wrong.
Expected<void> wrong_value(const WrkOptions& options, std::string_view flag, std::string_view value,
                           std::string_view wanted) {
  return unexpected(
      fmt::format("{}: invalid value \"{}\" for {}: {}", program(options), value, flag, wanted));
}

constexpr std::string_view kNumberWanted = "a whole number is wanted, as 12, 1k or 2M";
constexpr std::string_view kTimeWanted = "a time is wanted, as 12, 30s, 2m or 1h";

// `Number` is an integer, or an optional one.
template <class Number>
FlagSetter set_number(const WrkOptions& options, std::string_view flag, Number& option) {
  return [&options, flag, &option](const FlagValue& value) -> Expected<void> {
    const std::optional<uint64_t> number = read_number(value.text);
    if (!number) return wrong_value(options, flag, value.text, kNumberWanted);
    option = *number;
    return {};
  };
}

FlagSetter set_seconds(const WrkOptions& options, std::string_view flag, uint64_t& option) {
  return [&options, flag, &option](const FlagValue& value) -> Expected<void> {
    const std::optional<uint64_t> seconds = read_seconds(value.text);
    if (!seconds) return wrong_value(options, flag, value.text, kTimeWanted);
    option = *seconds;
    return {};
  };
}

void add_wrk2_flags(cli::FlagTable& table, WrkOptions& options) {
  table.push_back({.name = "rate",
                   .letter = 'R',
                   .kind = ArgKind::kValue,
                   .hint = "N",
                   .section = "Options",
                   .doc = "Requests per second in total (needed)",
                   .set = set_number(options, "-R", options.rate)});
  table.push_back({.name = "u_latency",
                   .letter = 'U',
                   .section = "Options",
                   .doc = "Spectrum from each sending too",
                   .set = cli::set_switch(options.service_time)});
  table.push_back({.name = "batch_latency",
                   .letter = 'B',
                   .section = "Options",
                   .doc = "Taken, without effect",
                   .set = cli::set_switch(options.batch_latency)});
}

// What cannot run ends with the usage.
Expected<void> check(const WrkOptions& options) {
  if (options.usage || options.args.empty()) return unexpected(std::string());
  constexpr std::string_view kOneAtLeast = "at least 1 is wanted";
  if (options.threads == 0) return wrong_value(options, "-t", "0", kOneAtLeast);
  if (options.duration_s == 0) return wrong_value(options, "-d", "0", kOneAtLeast);
  if (options.timeout_s == 0) return wrong_value(options, "-T", "0", kOneAtLeast);
  if (options.connections == 0 || options.connections < options.threads) {
    return unexpected(std::string("number of connections must be >= threads"));
  }
  if (options.wrk2 && options.rate.value_or(0) == 0) {
    return unexpected(std::string("Throughput MUST be specified with the --rate or -R option"));
  }
  constexpr uint64_t kMostConnections = 1'000'000;
  constexpr uint64_t kMostThreads = 1'024;
  constexpr uint64_t kMostSeconds = 100'000'000;
  if (options.connections > kMostConnections || options.threads > kMostThreads) {
    return unexpected(
        fmt::format("at most {} connections and {} threads", kMostConnections, kMostThreads));
  }
  if (options.duration_s > kMostSeconds || options.timeout_s > kMostSeconds) {
    return unexpected(fmt::format("at most {} seconds", kMostSeconds));
  }
  return {};
}

}  // namespace

cli::FlagTable wrk_flags(WrkOptions& options) {
  cli::FlagTable table{
      {.name = "connections",
       .letter = 'c',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Options",
       .doc = "Connections to hold, in total",
       .set = set_number(options, "-c", options.connections)},
      {.name = "duration",
       .letter = 'd',
       .kind = ArgKind::kValue,
       .hint = "T",
       .section = "Options",
       .doc = "How long the run lasts",
       .set = set_seconds(options, "-d", options.duration_s)},
      {.name = "threads",
       .letter = 't',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Options",
       .doc = "Threads that share the connections",
       .set = set_number(options, "-t", options.threads)},
      {.name = "script",
       .letter = 's',
       .kind = ArgKind::kValue,
       .hint = "S",
       .section = "Options",
       .doc = "Lua script with the hooks of wrk",
       .set = cli::set_text(options.script)},
      {.name = "header",
       .letter = 'H',
       .kind = ArgKind::kValue,
       .hint = "H",
       .section = "Options",
       .doc = "Header of each request, \"Name: value\"",
       .repeatable = true,
       .set = cli::add_text(options.headers)},
      {.name = "latency",
       .letter = 'L',
       .section = "Options",
       .doc = "Print percentiles of the latency",
       .set = cli::set_switch(options.latency)},
      {.name = "timeout",
       .letter = 'T',
       .kind = ArgKind::kValue,
       .hint = "T",
       .section = "Options",
       .doc = "When a request is given up",
       .set = set_seconds(options, "-T", options.timeout_s)},
      {.name = "version",
       .letter = 'v',
       .section = "Options",
       .doc = "Print the version",
       .set = cli::set_switch(options.version)},
      {.name = "help", .doc = "Print this text", .set = cli::set_switch(options.usage)},
      {.letter = 'r', .doc = "Print this text", .set = cli::set_switch(options.usage)},
      {.name = "quirks",
       .section = "Options",
       .doc = "As wrk, where carronade differs",
       .set = cli::set_switch(options.quirks)},
  };
  if (options.wrk2) add_wrk2_flags(table, options);
  return table;
}

Expected<void> read_command_line(WrkOptions& options, std::span<const std::string> args) {
  const cli::FlagTable table = wrk_flags(options);
  auto operands = cli::parse_getopt(table, args, {.program = std::string(program(options))});
  if (!operands) return unexpected(operands.error());
  options.args = std::move(operands->words);
  options.args.insert(options.args.end(), operands->after_dashes.begin(),
                      operands->after_dashes.end());
  return check(options);
}

std::string wrk_usage(bool wrk2) {
  WrkOptions options{.wrk2 = wrk2};
  std::string out = fmt::format("Usage: {} <options> <url> [-- <script arguments>]\n  Options:\n",
                                program(options));
  for (const cli::Flag& flag : wrk_flags(options)) {
    if (flag.section.empty()) continue;
    const std::string letter = flag.letter != 0 ? fmt::format("-{},", flag.letter) : "   ";
    const std::string value = flag.hint.empty() ? "" : "<" + flag.hint + ">";
    out += fmt::format("    {} --{:<13} {:<3}  {}\n", letter, flag.name, value, flag.doc);
  }
  out +=
      "\n  Numbers may have a unit: 1k, 1M, 1G\n"
      "  Times may have a unit: 2s, 2m, 2h\n";
  return out;
}

}  // namespace carronade::dialects::wrk
