#include "testserver_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/text.h"
#include "cli/flag_setters.h"
#include "dialects/loadtest/loadtest_numbers.h"

namespace carronade::apps {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
constexpr double kDelayMsMax = 3'600'000;
constexpr unsigned kThreadsMax = 256;
constexpr int kErrorDefault = 500;

// Which numbers an option takes.
struct Range {
  const char* name;
  double least;
  double most;
  bool whole;
  bool or_zero = false;
  bool has(double number) const {
    if (or_zero && number == 0) return true;
    return number >= least && number <= most && (!whole || number == std::trunc(number));
  }
};
constexpr Range kPort = {"port", 0, 65'535, true};
constexpr Range kDelay = {"delay", 0, kDelayMsMax, false};
constexpr Range kError = {"error", 200, 599, true, true};
constexpr Range kPercent = {"percent", 0, 100, false};
constexpr Range kCores = {"cores", 0, 1e6, true};

Expected<void> read_number(const Range& range, const std::optional<std::string>& text,
                           std::optional<double>& number) {
  if (!text) return {};
  number = dialects::loadtest::read_number(*text);
  if (number && range.has(*number)) return {};
  return unexpected(fmt::format("Invalid {}", range.name));
}

Expected<void> check_file(const Range& range, const std::optional<double>& number,
                          const std::string& file) {
  if (!number || range.has(*number)) return {};
  return unexpected(fmt::format("{}: {} cannot be {}", base::printable(file), range.name,
                                dialects::loadtest::plain_number(*number)));
}

cli::Flag value_flag(std::string name, char letter, std::optional<std::string>& option,
                     std::string doc) {
  return {.name = std::move(name),
          .letter = letter,
          .kind = cli::ArgKind::kValue,
          .doc = std::move(doc),
          .set = cli::set_text(option)};
}

}  // namespace

cli::FlagTable testserver_flags(TestserverOptions& options) {
  return {
      value_flag("port", 'p', options.port_text, "Port to listen on; 7357 unless given, 0: any"),
      value_flag("delay", 'd', options.delay_text, "Wait so many milliseconds before each answer"),
      value_flag("error", 'e', options.error_text, "Answer with this status"),
      value_flag("percent", 'P', options.percent_text,
                 "Only so many percent of the answers are errors, 500 unless --error says another"),
      value_flag("cores", 'c', options.cores_text, "Threads; half the cores unless given"),
      value_flag("body", 'b', options.body, "Body of the answers, \"OK\" unless given"),
      value_flag("file", 'f', options.file, "File whose bytes are the body of the answers"),
      {.name = "help",
       .letter = 'h',
       .doc = "Print this text",
       .set = cli::set_switch(options.help)},
  };
}

std::string testserver_help() {
  TestserverOptions unused;
  std::string text =
      "USAGE: testserver-loadtest [OPTION1] [OPTION2]... [port]\n"
      "The following options are supported:\n";
  for (const cli::Flag& flag : testserver_flags(unused)) {
    const std::string synopsis = fmt::format("  -{}, --{} {}", flag.letter, flag.name,
                                             flag.kind == cli::ArgKind::kValue ? "<ARG1> " : "");
    text += fmt::format("{:<24}\t{}\n", synopsis, flag.doc);
  }
  return text;
}

Expected<void> read_testserver_numbers(TestserverOptions& o) {
  if (o.operands.size() > 1) {
    return unexpected(
        base::printable(fmt::format("Too many arguments: {}", fmt::join(o.operands, ","))));
  }
  if (!o.port_text && !o.operands.empty()) o.port_text = o.operands.front();
  Expected<void> fits = read_number(kPort, o.port_text, o.port);
  if (fits) fits = read_number(kDelay, o.delay_text, o.delay_ms);
  if (fits) fits = read_number(kError, o.error_text, o.error);
  if (fits) fits = read_number(kPercent, o.percent_text, o.percent);
  if (fits) fits = read_number(kCores, o.cores_text, o.cores);
  return fits;
}

Expected<server::ServerSpec> make_testserver_spec(const TestserverOptions& o,
                                                  const dialects::loadtest::LoadtestConfig& config,
                                                  unsigned cpus) {
  Expected<void> fits = check_file(kDelay, config.delay_ms, config.file);
  if (fits) fits = check_file(kError, config.error, config.file);
  if (fits) fits = check_file(kPercent, config.percent, config.file);
  if (!fits) return unexpected(fits.error());
  const auto first = [](const auto& option, const auto& configured) {
    return option ? option : configured;
  };

  server::ServerSpec spec;
  spec.host = "::";
  if (o.port) spec.port = static_cast<uint16_t>(*o.port);
  const double half = std::round(cpus / 2.0);
  spec.threads = static_cast<int>(std::clamp<double>(o.cores.value_or(half), 1, kThreadsMax));
  const double delay_ms = first(o.delay_ms, config.delay_ms).value_or(0);
  spec.delay_ns = static_cast<int64_t>(delay_ms * kNsPerMs);
  const std::optional<double> percent = first(o.percent, config.percent);
  spec.error_status = static_cast<int>(first(o.error, config.error).value_or(0));
  if (percent && spec.error_status == 0) spec.error_status = kErrorDefault;
  spec.error_percent = percent.value_or(100);

  server::FixedPage page{first(o.body, config.body).value_or("OK"), "ERROR"};
  if (const auto file = first(o.file, config.body_file)) {
    Expected<std::string> bytes = base::read_file(*file);
    if (!bytes) return unexpected(bytes.error());
    page.body = std::move(*bytes);
  }
  spec.page = std::move(page);
  return spec;
}

}  // namespace carronade::apps
