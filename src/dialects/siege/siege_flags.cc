#include "dialects/siege/siege_flags.h"

#include <algorithm>

#include "cli/flag_setters.h"
#include "dialects/siege/siege_numbers.h"

namespace carronade::dialects::siege {
namespace {

using cli::ArgKind;
using cli::FlagValue;

cli::FlagSetter act(std::function<void(const FlagValue&)> action) {
  return [action = std::move(action)](const FlagValue& value) -> Expected<void> {
    action(value);
    return {};
  };
}

// "-c: "abc" is not a number such as 25"
Error about(const char* flag, const Error& error) {
  return {std::string(flag) + ": " + error.text};
}

}  // namespace

cli::FlagTable siege_flags(SiegeSettings& s, SiegeCall& call) {
  cli::FlagTable table;
  const auto add = [&table](char letter, std::string name, ArgKind kind, std::string doc,
                            cli::FlagSetter set) {
    table.push_back({.name = std::move(name),
                     .letter = letter,
                     .kind = kind,
                     .doc = std::move(doc),
                     .set = std::move(set)});
  };
  const auto show_one = [&s](bool SiegeSettings::*member) {
    return act([&s, member](const FlagValue&) { s.*member = true; });
  };
  add('V', "version", ArgKind::kSwitch, "the version", cli::set_switch(call.version));
  add('h', "help", ArgKind::kSwitch, "the help", cli::set_switch(call.help));
  add('C', "config", ArgKind::kSwitch, "the settings", cli::set_switch(call.show_config));
  add('v', "verbose", ArgKind::kSwitch, "a line a hit", show_one(&SiegeSettings::verbose));
  add('q', "quiet", ArgKind::kSwitch, "no lines, no report", show_one(&SiegeSettings::quiet));
  table.back().aliases = {"q", "qu", "qui"};  // siege's abbreviations, of which --quirks is none
  add('D', "debug", ArgKind::kSwitch, "one exchange", show_one(&SiegeSettings::debug));
  add('g', "get", ArgKind::kSwitch, "shows heads", show_one(&SiegeSettings::get));
  add('p', "print", ArgKind::kSwitch, "shows the page", show_one(&SiegeSettings::print));
  add('c', "concurrent", ArgKind::kValue, "users", [&s](const FlagValue& value) -> Expected<void> {
    const Expected<int64_t> read = parse_number(value.text);
    if (!read) return unexpected(about("-c", read.error()));
    s.concurrent = std::max<int64_t>(*read, 1);
    return {};
  });
  add('r', "reps", ArgKind::kValue, "repetitions", [&s](const FlagValue& value) -> Expected<void> {
    const Expected<void> read = parse_reps(value.text, s);
    if (!read) return unexpected(about("-r", read.error()));
    return {};
  });
  add('t', "time", ArgKind::kValue, "time to run", [&s](const FlagValue& value) -> Expected<void> {
    const Expected<int64_t> read = parse_time(value.text);
    if (!read) return unexpected(about("-t", read.error()));
    if (*read == 0) return unexpected(std::string("-t: the time to run has to be above 0"));
    s.time_ns = *read;
    return {};
  });
  add('d', "delay", ArgKind::kValue, "longest pause",
      [&s](const FlagValue& value) -> Expected<void> {
        const Expected<double> read = parse_seconds(value.text);
        if (!read) return unexpected(about("-d", read.error()));
        s.delay_s = *read;
        return {};
      });
  add('b', "benchmark", ArgKind::kSwitch, "no pauses", show_one(&SiegeSettings::benchmark));
  add('i', "internet", ArgKind::kSwitch, "at random", show_one(&SiegeSettings::internet));
  add('f', "file", ArgKind::kValue, "list of URLs", act([&s](const FlagValue& value) {
        s.file = value.text;
        s.url.clear();
      }));
  add('R', "rc", ArgKind::kValue, "configuration", cli::set_text(call.config_file));
  add('l', "log", ArgKind::kOptional, "log file", act([&s](const FlagValue& value) {
        s.logging = true;
        if (!value.text.empty()) s.logfile = value.text;
      }));
  add('m', "mark", ArgKind::kValue, "mark in the log", act([&s](const FlagValue& value) {
        s.logging = true;
        s.mark = value.text;
      }));
  add('H', "header", ArgKind::kValue, "a header", cli::add_text(s.headers));
  add('A', "user-agent", ArgKind::kValue, "User-Agent", cli::set_text(s.user_agent));
  add('T', "content-type", ArgKind::kValue, "Content-Type", cli::set_text(s.content_type));
  add('j', "json-output", ArgKind::kSwitch, "JSON report", show_one(&SiegeSettings::json));
  add('N', "no-parser", ArgKind::kSwitch, "no parser",
      act([&s](const FlagValue&) { s.parser = false; }));
  add('F', "no-follow", ArgKind::kSwitch, "no redirects",
      act([&s](const FlagValue&) { s.follow = false; }));
  add(0, "old-report", ArgKind::kSwitch, "seconds", show_one(&SiegeSettings::old_report));
  add(0, "seed", ArgKind::kValue, "of -i and -d", [&s](const FlagValue& value) -> Expected<void> {
    const Expected<int64_t> read = parse_number(value.text);
    if (!read) return unexpected(about("--seed", read.error()));
    s.seed = static_cast<uint64_t>(*read);
    return {};
  });
  add(0, "quirks", ArgKind::kSwitch, "as it was", show_one(&SiegeSettings::quirks));
  return table;
}

}  // namespace carronade::dialects::siege
