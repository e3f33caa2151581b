// `carronade serve [options]`: the bundled test server as a command.
#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/text.h"
#include "base/units.h"
#include "cli/exit_codes.h"
#include "cli/flag_docs.h"
#include "cli/flags.h"
#include "cli/output.h"
#include "cli/run_observer.h"
#include "cli/stop_signals.h"
#include "serve_flags.h"
#include "server/server.h"
#include "server/server_spec.h"

namespace carronade::apps {
namespace {

constexpr const char* kProgram = "carronade serve";

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
  const cli::FlagTable table = serve_flags(options);
  const Expected<cli::Operands> operands = cli::parse_minimist(table, args);
  if (!operands) return fail(operands.error().text);
  if (options.help) {
    const cli::PageFacts facts = {
        .program = kProgram,
        .usage = {"carronade serve [options]"},
        .opening = {"A test server. A path asks for one answer: /delay/20ms /status/503 "
                    "/bytes/1048576 /chunked /close /echo /stats /stats/arrivals. WebSocket "
                    "messages are sent back at every path."}};
    return cli::write_text(kProgram, cli::help_text(table, facts)) ? cli::kExitOk : cli::kExitUsage;
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
