#include "dialects/loadtest/loadtest_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "cli/flag_setters.h"
#include "dialects/loadtest/loadtest_numbers.h"

namespace carronade::dialects::loadtest {
namespace {

using cli::ArgKind;
using cli::FlagSetter;
using cli::FlagTable;
using cli::FlagValue;

Error not_good(std::string_view text, std::string_view wanted) {
  return {fmt::format("\"{}\" is not {}", base::printable(text), wanted)};
}

// "100", "10k".
FlagSetter set_amount(std::optional<uint64_t>& place) {
  return [&place](const FlagValue& value) -> Expected<void> {
    const Expected<uint64_t> number = base::parse_count(value.text);
    if (!number || *number == 0) {
      return unexpected(not_good(value.text, "a whole number of 1 or more"));
    }
    place = *number;
    return {};
  };
}

// As in the original 0 stands for 1.
FlagSetter set_cores(std::optional<uint64_t>& place) {
  return [&place](const FlagValue& value) -> Expected<void> {
    const Expected<uint64_t> number = base::parse_count(value.text);
    if (!number) return unexpected(not_good(value.text, "a whole number"));
    place = std::max<uint64_t>(*number, 1);
    return {};
  };
}

FlagSetter set_time(std::optional<double>& place, int64_t unit_ns, bool zero_is_none) {
  return [=, &place](const FlagValue& value) -> Expected<void> {
    const Expected<int64_t> ns = base::parse_duration(value.text, unit_ns);
    if (!ns || *ns < 0 || (*ns == 0 && !zero_is_none)) {
      return unexpected(not_good(value.text, "a time above 0"));
    }
    place = static_cast<double>(*ns) / static_cast<double>(unit_ns);
    return {};
  };
}

FlagSetter set_rate(std::optional<double>& place) {
  return [&place](const FlagValue& value) -> Expected<void> {
    const Expected<double> rate = base::parse_rate(value.text);
    if (!rate) return unexpected(rate.error());
    place = *rate;
    return {};
  };
}

// Accepted for the sake of command lines that have it.
FlagSetter ignore() {
  return [](const FlagValue&) -> Expected<void> { return {}; };
}

FlagTable load_flags(LoadtestOptions& o) {
  constexpr int64_t kMillisecond = 1'000'000;
  constexpr int64_t kSecond = 1'000'000'000;
  return {
      {.name = "maxSeconds",
       .letter = 't',
       .kind = ArgKind::kValue,
       .doc = "End after so many seconds, 10 unless -n is given; also 1.5, 500ms, 2m",
       .set = set_time(o.max_seconds, kSecond, false)},
      {.name = "maxRequests",
       .letter = 'n',
       .kind = ArgKind::kValue,
       .doc = "End after so many requests",
       .set = set_amount(o.max_requests)},
      {.name = "concurrency",
       .letter = 'c',
       .kind = ArgKind::kValue,
       .doc = "Clients for each core, 10 by default; without effect beside --rps",
       .set = set_amount(o.concurrency)},
      {.name = "timeout",
       .letter = 'd',
       .kind = ArgKind::kValue,
       .doc = "Time a request may take, in ms; 0 is for ever",
       .set = set_time(o.timeout_ms, kMillisecond, true)},
  };
}

FlagTable request_flags(LoadtestOptions& o) {
  return {
      {.name = "contentType",
       .letter = 'T',
       .kind = ArgKind::kValue,
       .doc = "Type of the body, text/plain by default",
       .set = cli::set_text(o.content_type)},
      {.name = "cookies",
       .letter = 'C',
       .kind = ArgKind::kValue,
       .doc = "A cookie, name=value",
       .repeatable = true,
       .set = cli::add_text(o.cookies)},
      {.name = "headers",
       .letter = 'H',
       .kind = ArgKind::kValue,
       .doc = "A header, name:value",
       .repeatable = true,
       .set = cli::add_text(o.headers)},
      {.name = "postBody",
       .letter = 'P',
       .kind = ArgKind::kValue,
       .doc = "POST this text",
       .set = cli::set_text(o.post_body)},
      {.name = "postFile",
       .letter = 'p',
       .kind = ArgKind::kValue,
       .doc = "POST this file; a .js file makes the bodies (npx carronade loadtest)",
       .set = cli::set_text(o.post_file)},
      {.name = "patchBody",
       .letter = 'A',
       .kind = ArgKind::kValue,
       .doc = "PATCH this text",
       .set = cli::set_text(o.patch_body)},
      {.name = "patchFile",
       .letter = 'a',
       .kind = ArgKind::kValue,
       .doc = "PATCH this file, as with -p",
       .set = cli::set_text(o.patch_file)},
      {.name = "data",
       .kind = ArgKind::kValue,
       .doc = "Body of a request whose method -m names",
       .set = cli::set_text(o.data)},
      {.name = "method",
       .letter = 'm',
       .kind = ArgKind::kValue,
       .doc = "GET, POST, PUT, DELETE or PATCH",
       .set = cli::set_text(o.method)},
      {.name = "putFile",
       .letter = 'u',
       .kind = ArgKind::kValue,
       .doc = "PUT this file, as with -p",
       .set = cli::set_text(o.put_file)},
      {.name = "requestGenerator",
       .letter = 'R',
       .kind = ArgKind::kValue,
       .doc = "Module that makes the requests (npx carronade loadtest)",
       .set = cli::set_text(o.request_generator)},
  };
}

FlagTable connection_flags(LoadtestOptions& o) {
  return {
      {.name = "recover", .letter = 'r', .doc = "Go on after errors: always so", .set = ignore()},
      {.name = "secureProtocol",
       .letter = 's',
       .kind = ArgKind::kValue,
       .doc = "Version of TLS in Node's words, TLSv1_2_method",
       .set = cli::set_text(o.secure_protocol)},
      {.name = "keepalive",
       .aliases = {"agent"},
       .letter = 'k',
       .doc = "Keep connections open between requests",
       .set = cli::set_switch(o.keep_alive)},
      {.name = "version",
       .letter = 'V',
       .doc = "Print the version and end",
       .set = cli::set_switch(o.version)},
      {.name = "proxy",
       .kind = ArgKind::kValue,
       .doc = "Send everything through this proxy, http://localhost:8080",
       .set = cli::set_text(o.proxy)},
      {.name = "rps",
       .kind = ArgKind::kValue,
       .doc = "Requests per second in total, sent when they are due; also 0.5, 30/m, 2k",
       .set = set_rate(o.requests_per_second)},
      {.name = "index",
       .kind = ArgKind::kValue,
       .doc = "Regular expression: what it finds in URL and body becomes 1, 2, 3 ...",
       .set = cli::set_text(o.index_pattern)},
      {.name = "insecure", .doc = "Accept any certificate", .set = cli::set_switch(o.insecure)},
      {.name = "key",
       .kind = ArgKind::kValue,
       .doc = "Key of the client's certificate, PEM",
       .set = cli::set_text(o.key_file)},
      {.name = "cert",
       .kind = ArgKind::kValue,
       .doc = "The client's certificate, PEM",
       .set = cli::set_text(o.certificate_file)},
      {.name = "quiet", .doc = "No line every 5 seconds", .set = cli::set_switch(o.quiet)},
      {.name = "cores",
       .kind = ArgKind::kValue,
       .doc = "Threads, each with the clients of -c; half the cores by default",
       .set = set_cores(o.cores)},
      {.name = "tcp",
       .doc = "Keep connections open between requests: all are as fast here",
       .set = cli::set_switch(o.tcp)},
      {.name = "debug", .doc = "Without effect", .set = ignore()},
  };
}

std::string synopsis(const cli::Flag& flag) {
  const std::string letter = flag.letter == 0 ? "" : fmt::format("-{}, ", flag.letter);
  return fmt::format("  {}--{} {}", letter, flag.name,
                     flag.kind == ArgKind::kValue ? "<ARG1> " : "");
}

}  // namespace

FlagTable loadtest_flags(LoadtestOptions& options) {
  FlagTable table = load_flags(options);
  for (cli::Flag& row : request_flags(options)) table.push_back(std::move(row));
  for (cli::Flag& row : connection_flags(options)) table.push_back(std::move(row));
  table.push_back({.name = "help",
                   .letter = 'h',
                   .doc = "Print this text",
                   .set = cli::set_switch(options.help)});
  return table;
}

std::string loadtest_help() {
  LoadtestOptions unused;
  const FlagTable table = loadtest_flags(unused);
  size_t width = 0;
  for (const cli::Flag& flag : table) width = std::max(width, synopsis(flag).size());
  std::string text =
      "USAGE: loadtest [OPTION1] [OPTION2]... URL\n"
      "The following options are supported:\n";
  for (const cli::Flag& flag : table) {
    text += fmt::format("{:<{}}\t{}{}\n", synopsis(flag), width, flag.doc,
                        flag.repeatable ? " (multiple)" : "");
  }
  return text;
}

}  // namespace carronade::dialects::loadtest
