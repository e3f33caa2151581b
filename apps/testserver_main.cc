// `testserver-loadtest [options] [port]`: loadtest's test server, on the bundled one.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/stop_signals.h"
#include "dialects/loadtest/loadtest_words.h"
#include "server/server.h"
#include "testserver_flags.h"
#include "testserver_text.h"

namespace carronade::apps {
namespace {

constexpr const char* kProgram = "testserver-loadtest";
constexpr int64_t kSampleEveryNs = 5'000'000'000;
constexpr int64_t kLookEveryNs = 100'000'000;

int fail(std::string_view text) {
  cli::tell(kProgram, text);
  return cli::kExitUsage;
}

int misuse(const std::string& text) {
  (void)cli::write_stderr(text + "\n");
  (void)cli::write_stdout(testserver_help());
  return cli::kExitUsage;
}

// On all addresses of the machine, as the original listens.
Expected<std::unique_ptr<server::Server>> start(server::ServerSpec spec) {
  const std::string in_use = base::errno_text(EADDRINUSE);
  auto server = server::Server::start(spec);
  if (!server && server.error().text.find(in_use) == std::string::npos) {
    spec.host = "0.0.0.0";  // a machine without IPv6
    server = server::Server::start(spec);
  }
  if (!server && server.error().text.find(in_use) != std::string::npos) {
    return unexpected(fmt::format("Port {} in use, please free it and retry again", spec.port));
  }
  return server;
}

// Prints a sample of the requests every 5 s in which some come, until a signal. The error is one
// of standard output.
Expected<void> show_samples(server::Server& server, cli::StopSignals& signals) {
  int64_t shown_ns = base::now_ns();
  uint64_t shown_requests = 0;
  while (!signals.wait(kLookEveryNs)) {
    const int64_t now_ns = base::now_ns();
    if (const auto sample = server.take_sample()) {
      const uint64_t requests = server.stats().requests_received;
      const double rate = static_cast<double>(requests - shown_requests) * 1e9 /
                          static_cast<double>(now_ns - shown_ns);
      if (auto told = cli::write_stdout(sample_text(*sample, rate)); !told) return told;
      shown_ns = now_ns;
      shown_requests = requests;
    } else if (now_ns - shown_ns >= kSampleEveryNs) {
      server.ask_sample();
    }
  }
  return {};
}

int serve(const server::ServerSpec& spec) {
  cli::StopSignals signals;  // before the server's threads, which inherit the blocked signals
  const auto started = start(spec);
  if (!started) {
    (void)cli::write_stderr(started.error().text + "\n");
    return cli::kExitUsage;
  }
  server::Server& server = **started;
  Expected<void> told =
      cli::write_stdout(fmt::format("Listening on http://localhost:{}/\n", server.port()));
  if (told) told = show_samples(server, signals);
  server.stop();
  return told ? cli::kExitOk : fail(told.error().text);
}

}  // namespace

// Declared in apps/carronade_main.cc, its only caller.
int testserver_main(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  TestserverOptions options;
  const auto wrong =
      dialects::loadtest::parse_loadtest_words(testserver_flags(options), args, options.operands);
  if (options.help)
    return cli::write_text(kProgram, testserver_help()) ? cli::kExitOk : cli::kExitUsage;
  if (!wrong.text.empty()) {
    (void)(wrong.on_stdout ? cli::write_stdout(wrong.text) : cli::write_stderr(wrong.text));
    return wrong.exit_code;
  }
  if (auto read = read_testserver_numbers(options); !read) return misuse(read.error().text);
  const auto config = dialects::loadtest::find_loadtest_config();
  if (!config) return fail(config.error().text);
  if (config->needs_javascript) {
    return fail(
        fmt::format("{} is JavaScript, which this server cannot run: startServer of "
                    "carronade/loadtest can",
                    config->file));
  }
  const auto spec =
      make_testserver_spec(options, *config, std::max(1U, std::thread::hardware_concurrency()));
  return spec ? serve(*spec) : fail(spec.error().text);
}

}  // namespace carronade::apps
