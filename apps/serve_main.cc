// `carronade serve [options]`: the bundled test server as a command.
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/text.h"
#include "base/units.h"
#include "cli/exit_codes.h"
#include "cli/flag_docs.h"
#include "cli/flag_setters.h"
#include "cli/flags.h"
#include "cli/output.h"
#include "cli/run_observer.h"
#include "cli/stop_signals.h"
#include "server/server.h"
#include "server/server_spec.h"

namespace carronade::apps {
namespace {

using cli::ArgKind;
using cli::FlagSetter;
using cli::FlagTable;
using cli::FlagValue;

constexpr const char* kProgram = "carronade serve";
constexpr int64_t kMillisecond = 1'000'000;

struct ServeOptions {
  server::ServerSpec spec;
  // Here and not in `spec`: whether they were given at all decides what fits together.
  std::optional<std::string> host;
  std::optional<uint16_t> port;
  std::optional<int> threads;
  std::optional<int> error_status;
  std::optional<double> error_percent;
  std::optional<uint64_t> close_after;
  std::optional<uint64_t> seed;
  bool log_headers = false;
  bool help = false;
};

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

FlagSetter set_stall(server::StallSpec& stall) {
  return [&stall](const FlagValue& value) -> Expected<void> {
    const Expected<server::StallSpec> parsed = server::parse_stall(value.text);
    if (!parsed) return unexpected(parsed.error());
    stall = *parsed;
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
      {.name = "stall",
       .kind = ArgKind::kValue,
       .hint = "\"T every P\"",
       .section = "Answers",
       .doc = "hold all answers back for T in every P, as in \"1s every 5s\"",
       .set = set_stall(spec.stall)},
      {.name = "seed",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Answers",
       .doc = "of all that is drawn at random",
       .default_text = "1",
       .set = set_number(options.seed, UINT64_MAX)},
  };
}

FlagTable serve_flags(ServeOptions& options) {
  FlagTable table = listening_flags(options);
  for (cli::Flag& row : answer_flags(options)) table.push_back(std::move(row));
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
  if (o.seed && !o.error_percent) return refuse("--seed has no effect without --percent");
  if (o.close_after == 0) return refuse("close-after must be 1 or more");
  spec.host = o.host.value_or(spec.host);
  spec.port = o.port.value_or(spec.port);
  spec.threads = o.threads.value_or(spec.threads);
  spec.error_status = o.error_status.value_or(spec.error_status);
  spec.error_percent = o.error_percent.value_or(spec.error_percent);
  spec.close_after = o.close_after.value_or(spec.close_after);
  spec.seed = o.seed.value_or(spec.seed);
  return {};
}

int fail(std::string_view text) {
  // The server's own checks name their command already.
  constexpr std::string_view kPrefix = "serve: ";
  if (text.starts_with(kPrefix)) text.remove_prefix(kPrefix.size());
  cli::tell(kProgram, text);
  return cli::kExitUsage;
}

std::string totals(const server::StatsSnapshot& stats) {
  std::string text = fmt::format("served {} requests on {} connections, {} in, {} out",
                                 base::format_thousands(stats.requests_served),
                                 base::format_thousands(stats.connections_accepted),
                                 base::format_bytes(static_cast<double>(stats.bytes_in)),
                                 base::format_bytes(static_cast<double>(stats.bytes_out)));
  if (stats.malformed > 0) {
    text += fmt::format(", {} malformed", base::format_thousands(stats.malformed));
  }
  if (stats.tls_failures > 0) {
    text += fmt::format(", {} TLS failures", base::format_thousands(stats.tls_failures));
  }
  return text;
}

int listen(const server::ServerSpec& spec) {
  cli::StopSignals signals;  // before the server's threads, which inherit the blocked signals
  const auto started = server::Server::start(spec);
  if (!started) return fail(started.error().text);
  server::Server& server = **started;
  const cli::StopSignals::Watch watch(signals, [&server] { server.request_stop(); });
  const Expected<void> told = cli::write_stdout("listening on " + server.url() + "\n");
  if (!told) server.request_stop();
  server.wait();
  if (!told) return fail(told.error().text);
  cli::tell("", totals(server.stats()));
  return cli::kExitOk;
}

}  // namespace

// Declared in apps/carronade_main.cc, its only caller.
int serve_main(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  ServeOptions options;
  const FlagTable table = serve_flags(options);
  const Expected<cli::Operands> operands = cli::parse_minimist(table, args);
  if (!operands) return fail(operands.error().text);
  if (options.help) {
    const cli::PageFacts facts = {
        .program = kProgram,
        .usage = {"carronade serve [options]"},
        .opening = {"A test server. A path asks for one answer: /delay/20ms /status/503 "
                    "/bytes/1048576 /chunked /close /echo /stats"}};
    return cli::write_report(kProgram, cli::help_text(table, facts)) ? cli::kExitOk
                                                                     : cli::kExitUsage;
  }
  if (!operands->words.empty() || !operands->after_dashes.empty()) {
    return fail("takes options only; carronade serve --help lists them");
  }
  if (const Expected<void> fits = complete_spec(options); !fits) return fail(fits.error().text);
  if (options.log_headers) {
    options.spec.log_headers = [](std::string_view head) {
      (void)cli::write_stderr(cli::wire_lines(head, ""));
    };
  }
  return listen(options.spec);
}

}  // namespace carronade::apps
