#include "dialects/gobench/gobench_flags.h"

#include <utility>

#include "cli/flag_setters.h"
#include "cli/go_flags.h"

namespace carronade::dialects::gobench {
namespace {

using cli::ArgKind;

// gobench takes -1 for a number that was not given.
cli::FlagSetter set_limit(const char* flag, std::optional<int64_t>& option) {
  return [flag, &option](const cli::FlagValue& value) -> Expected<void> {
    int64_t number = 0;
    if (Expected<void> done = cli::set_go_int(flag, number)(value); !done) return done;
    option = number == -1 ? std::nullopt : std::optional(number);
    return {};
  };
}

}  // namespace

cli::FlagTable gobench_flags(GobenchOptions& o) {
  return {
      {.name = "r",
       .kind = ArgKind::kValue,
       .hint = "int",
       .doc = "Number of requests per client",
       .default_text = "-1",
       .set = set_limit("r", o.requests)},
      {.name = "c",
       .kind = ArgKind::kValue,
       .hint = "int",
       .doc = "Number of concurrent clients",
       .default_text = "100",
       .set = cli::set_go_int("c", o.clients)},
      {.name = "u",
       .kind = ArgKind::kValue,
       .hint = "string",
       .doc = "URL",
       .set = cli::set_text(o.url)},
      {.name = "f",
       .kind = ArgKind::kValue,
       .hint = "string",
       .doc = "URL's file path (line seperated)",
       .set = cli::set_text(o.urls_file)},
      {.name = "k",
       .doc = "Do HTTP keep-alive",
       .default_text = "true",
       .set = cli::set_switch(o.keep_alive)},
      {.name = "d",
       .kind = ArgKind::kValue,
       .hint = "string",
       .doc = "HTTP POST data file path",
       .set = cli::set_text(o.body_file)},
      {.name = "t",
       .kind = ArgKind::kValue,
       .hint = "int",
       .doc = "Period of time (in seconds)",
       .default_text = "-1",
       .set = set_limit("t", o.period_s)},
      {.name = "tw",
       .kind = ArgKind::kValue,
       .hint = "int",
       .doc = "Write timeout (in milliseconds)",
       .default_text = "5000",
       .set = cli::set_go_int("tw", o.write_timeout_ms)},
      {.name = "tr",
       .kind = ArgKind::kValue,
       .hint = "int",
       .doc = "Read timeout (in milliseconds)",
       .default_text = "5000",
       .set = cli::set_go_int("tr", o.read_timeout_ms)},
      {.name = "auth",
       .kind = ArgKind::kValue,
       .hint = "string",
       .doc = "Authorization header",
       .set = cli::set_text(o.authorization)},
      {.name = "quirks",
       .doc = "Count 200 alone as success, divide by whole seconds, finish passes of -f",
       .set = cli::set_switch(o.quirks)},
      // Go's flag package knows these two by itself, and its list does not show them.
      {.name = "help", .aliases = {"h"}, .set = cli::set_switch(o.help)},
  };
}

std::string gobench_usage() {
  GobenchOptions options;
  return "Usage of gobench:\n" + cli::go_flag_defaults(gobench_flags(options));
}

}  // namespace carronade::dialects::gobench
