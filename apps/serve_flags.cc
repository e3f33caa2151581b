#include "serve_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "cli/flag_setters.h"

namespace carronade::apps {
namespace {

using cli::ArgKind;
using cli::FlagSetter;
using cli::FlagTable;
using cli::FlagValue;

constexpr int64_t kMillisecond = 1'000'000;

// A whole number that the field can hold; what the field may mean is the server's to check.
template <class Int>
FlagSetter set_number(std::optional<Int>& field, uint64_t most) {
  return [&field, most](const FlagValue& value) -> Expected<void> {
    const Expected<uint64_t> number = base::parse_count(value.text);
    if (!number) return unexpected(number.error());
    if (*number > most) return unexpected(fmt::format("{} is more than {}", value.text, most));
    field = static_cast<Int>(*number);
    return {};
  };
}

FlagSetter set_percent(std::optional<double>& percent) {
  return [&percent](const FlagValue& value) -> Expected<void> {
    std::string_view text = value.text;
    if (text.ends_with('%')) text.remove_suffix(1);
    double number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault == std::errc() && end == text.data() + text.size()) {
      percent = number;
      return {};
    }
    return unexpected("\"" + base::printable(value.text) + "\" is not a percentage");
  };
}

FlagSetter set_delay(int64_t& delay_ns) {
  return [&delay_ns](const FlagValue& value) -> Expected<void> {
    const Expected<int64_t> span_ns = base::parse_duration(value.text, kMillisecond);
    if (!span_ns) return unexpected(span_ns.error());
    delay_ns = *span_ns;
    return {};
  };
}

FlagSetter set_body_bytes(int64_t& body_bytes) {
  return [&body_bytes](const FlagValue& value) -> Expected<void> {
    constexpr uint64_t kMost = uint64_t{1} << 40;
    const Expected<uint64_t> bytes = base::parse_bytes(value.text);
    if (!bytes) return unexpected(bytes.error());
    if (*bytes > kMost) return unexpected(value.text + " is more than 1 TiB");
    body_bytes = static_cast<int64_t>(*bytes);
    return {};
  };
}

// A value that the server has a grammar for.
template <class Field, class Value>
FlagSetter set_parsed(Field& field, Expected<Value> (*parse)(std::string_view)) {
  return [&field, parse](const FlagValue& value) -> Expected<void> {
    Expected<Value> parsed = parse(value.text);
    if (!parsed) return unexpected(parsed.error());
    field = std::move(*parsed);
    return {};
  };
}

// A certificate makes no sense without TLS, so naming one turns it on.
FlagSetter set_pem(std::string& file, bool& tls) {
  return [set = cli::set_path(file), &tls](const FlagValue& value) -> Expected<void> {
    tls = true;
    return set(value);
  };
}

FlagTable listening_flags(ServeOptions& options) {
  server::ServerSpec& spec = options.spec;
  return {
      {.name = "host",
       .letter = 'H',
       .kind = ArgKind::kValue,
       .hint = "HOST",
       .section = "Listening",
       .doc = "name or address to listen on",
       .default_text = "127.0.0.1",
       .set = cli::set_text(options.host)},
      {.name = "port",
       .letter = 'p',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Listening",
       .doc = "port; 0 takes any free one",
       .default_text = "7357",
       .set = set_number(options.port, 65'535)},
      {.name = "unix",
       .aliases = {"socketPath"},
       .letter = 'S',
       .kind = ArgKind::kValue,
       .hint = "PATH",
       .section = "Listening",
       .doc = "listen on this Unix socket instead",
       .set = cli::set_path(spec.unix_path)},
      {.name = "threads",
       .letter = 'w',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Listening",
       .doc = "threads, each with a listening socket of its own",
       .default_text = "1",
       .set = set_number(options.threads, 1'000'000)},
      {.name = "tls",
       .section = "Listening",
       .doc = "speak TLS, with a self-made certificate unless --cert gives one",
       .set = cli::set_switch(spec.tls)},
      {.name = "cert",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Listening",
       .doc = "certificate chain in PEM",
       .set = set_pem(spec.certificate_file, spec.tls)},
      {.name = "key",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Listening",
       .doc = "its private key in PEM",
       .set = set_pem(spec.key_file, spec.tls)},
  };
}

FlagTable answer_flags(ServeOptions& options) {
  server::ServerSpec& spec = options.spec;
  return {
      {.name = "delay",
       .kind = ArgKind::kValue,
       .hint = "TIME",
       .section = "Answers",
       .doc = "wait before each answer; a bare number is in ms",
       .set = set_delay(spec.delay_ns)},
      {.name = "error",
       .kind = ArgKind::kValue,
       .hint = "CODE",
       .section = "Answers",
       .doc = "answer with this status",
       .set = set_number(options.error_status, 999)},
      {.name = "percent",
       .kind = ArgKind::kValue,
       .hint = "P",
       .section = "Answers",
       .doc = "to this share of the requests, exact in every hundred",
       .default_text = "100",
       .set = set_percent(options.error_percent)},
      {.name = "bytes",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Answers",
       .doc = "size of the body: 4096, 64k, 1MiB",
       .default_text = "a short text",
       .set = set_body_bytes(spec.body_bytes)},
      {.name = "chunked",
       .section = "Answers",
       .doc = "send bodies chunked",
       .set = cli::set_switch(spec.chunked)},
      {.name = "close-after",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Answers",
       .doc = "close a connection after N requests on it",
       .set = set_number(options.close_after, UINT64_MAX)},
  };
}

FlagTable law_flags(ServeOptions& options) {
  server::ServerSpec& spec = options.spec;
  return {
      {.name = "service",
       .kind = ArgKind::kValue,
       .hint = "LAW",
       .section = "Known laws",
       .doc = "how long each request is served: \"fixed 2ms\", \"exp 1ms\", \"lognormal 1ms 0.5\" "
              "(median, sigma), \"bimodal 95% 1ms, 5% 50ms\"",
       .set = set_parsed(spec.service, server::parse_service)},
      {.name = "queue",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Known laws",
       .doc = "one queue before N servers, over all connections and threads; without it each "
              "request has a server of its own",
       .set = set_number(options.queue, 1'000'000)},
      {.name = "capacity",
       .kind = ArgKind::kValue,
       .hint = "RATE",
       .section = "Known laws",
       .doc = "let answers leave at this rate at most, evenly spaced: 2000/s, 30/m",
       .set = set_parsed(spec.capacity, server::parse_capacity)},
      {.name = "stall",
       .kind = ArgKind::kValue,
       .hint = "\"T every P\"",
       .section = "Known laws",
       .doc = "hold all answers back for T in every P, as in \"1s every 5s\"",
       .set = set_parsed(spec.stall, server::parse_stall)},
      {.name = "seed",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Known laws",
       .doc = "of all that is drawn at random",
       .default_text = "1",
       .set = set_number(options.seed, UINT64_MAX)},
      {.name = "spin",
       .section = "Known laws",
       .doc = "poll instead of sleeping: the most precise times, for a core for each thread",
       .set = cli::set_switch(spec.spin)},
      {.name = "record-arrivals",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Known laws",
       .doc = "keep the times of the first N requests for /stats/arrivals",
       .set = set_number(options.record_arrivals, 200'000)},
  };
}

}  // namespace

FlagTable serve_flags(ServeOptions& options) {
  FlagTable table = listening_flags(options);
  for (cli::Flag& row : answer_flags(options)) table.push_back(std::move(row));
  for (cli::Flag& row : law_flags(options)) table.push_back(std::move(row));
  table.push_back({.name = "log-headers",
                   .section = "Other",
                   .doc = "print the head of each request on standard error",
                   .set = cli::set_switch(options.log_headers)});
  table.push_back({.name = "help",
                   .letter = 'h',
                   .section = "Other",
                   .doc = "print this text",
                   .set = cli::set_switch(options.help)});
  return table;
}

// What would have no effect is a mistake, and better told than taken.
Expected<void> complete_spec(ServeOptions& o) {
  server::ServerSpec& spec = o.spec;
  const auto refuse = [](const char* text) { return unexpected(std::string(text)); };
  if (!spec.unix_path.empty() && (o.host || o.port)) {
    return refuse("--host and --port have no effect beside --unix");
  }
  if (o.error_status == 0) return refuse("error must be a status from 200 to 599");
  if (o.error_percent && !o.error_status) return refuse("--percent has no effect without --error");
  const bool drawn = o.error_percent || (spec.service && spec.service->is_drawn());
  if (o.seed && !drawn) {
    return refuse("--seed has no effect without --percent or a --service that is drawn");
  }
  if (o.queue == 0) return refuse("--queue must be 1 or more");
  if (o.queue && !spec.service) return refuse("--queue has no effect without --service");
  if (o.record_arrivals == 0) return refuse("--record-arrivals must be 1 or more");
  if (o.close_after == 0) return refuse("close-after must be 1 or more");
  spec.host = o.host.value_or(spec.host);
  spec.port = o.port.value_or(spec.port);
  spec.threads = o.threads.value_or(spec.threads);
  spec.error_status = o.error_status.value_or(spec.error_status);
  spec.error_percent = o.error_percent.value_or(spec.error_percent);
  spec.close_after = o.close_after.value_or(spec.close_after);
  spec.seed = o.seed.value_or(spec.seed);
  spec.queue = o.queue.value_or(spec.queue);
  spec.record_arrivals = o.record_arrivals.value_or(spec.record_arrivals);
  return {};
}

}  // namespace carronade::apps
