#include "dialects/siege/siege_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "carronade/run.h"
#include "cli/cli_run.h"
#include "cli/exit_codes.h"
#include "cli/getopt_flags.h"
#include "cli/output.h"
#include "cli/output_file.h"
#include "cli/record_writer.h"
#include "dialects/siege/siege_config.h"
#include "dialects/siege/siege_cookies_file.h"
#include "dialects/siege/siege_flags.h"
#include "dialects/siege/siege_lines.h"
#include "dialects/siege/siege_log.h"
#include "dialects/siege/siege_plan.h"
#include "dialects/siege/siege_report.h"
#include "dialects/siege/siege_source.h"

namespace carronade::dialects::siege {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kForEverNs = 10 * 365 * 86'400 * kSecondNs;  // until the users are through
constexpr size_t kQueueBytes = size_t{4} << 20;
constexpr size_t kPageQueueBytes = size_t{64} << 20;  // -p: one page in one record
constexpr size_t kFlushBytes = size_t{64} << 10;

void say(std::string_view level, std::string_view text) {
  (void)cli::write_stderr(notice(level, text));
}

int fatal(std::string_view text) {
  say("fatal", text);
  return cli::kExitUsage;
}

int64_t unix_now_s() { return base::unix_now_ns() / kSecondNs; }

std::string cookies_path() {
  const char* const home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "" : std::string(home) + "/.siege/cookies.txt";
}

// Makes text of the workers' records, on the writer's thread.
class LineWriter {
 public:
  explicit LineWriter(const SiegeSettings& settings) : settings_(settings) {}

  Expected<void> consume(std::string_view message) {
    const std::string_view mark = message.substr(0, 1);
    const std::string_view rest = message.substr(1);
    if (mark == kErrorMark) {
      (void)cli::write_stderr(rest);
      return {};
    }
    HitRecord record;
    std::string_view method;
    std::string_view url;
    if (mark == kShownMark) {
      text_ += rest;
    } else if (read_hit(rest, record, method, url)) {
      append_hit_line(record, method, url, settings_, text_);
    }
    return text_.size() < kFlushBytes ? Expected<void>() : flush();
  }

  Expected<void> flush() {
    Expected<void> written = cli::write_stdout(text_);
    text_.clear();
    return written;
  }

 private:
  const SiegeSettings& settings_;
  std::string text_;
};

// The way to https URLs. What asks for an http URL is written by RequestMaker, and its credentials
// follow a challenge; a tunnel is made once, with the first login that there is.
std::optional<ProxySpec> tunnel_of(const SiegePlan& plan) {
  if (!plan.origins.proxied()) return std::nullopt;
  ProxySpec proxy{.url = plan.origins.urls().front(), .headers = {}};
  if (!plan.settings.proxy_logins.empty()) {
    const Login& login = plan.settings.proxy_logins.front();
    proxy.url.user = login.user;
    proxy.url.password = login.password;
    proxy.url.has_credentials = true;
  }
  return proxy;
}

RunSpec make_spec(const SiegePlan& plan) {
  const SiegeSettings& settings = plan.settings;
  RunSpec spec;
  for (const Url& url : plan.origins.urls()) spec.targets.push_back({.url = url, .request = {}});
  spec.proxy = tunnel_of(plan);
  spec.connections = plan.users;
  spec.workers = std::min(plan.users, std::max(1U, std::thread::hardware_concurrency()));
  spec.duration_ns = settings.time_ns.value_or(kForEverNs);
  if (settings.failures > 0) spec.bailout = static_cast<uint64_t>(settings.failures);
  spec.retry_closed = false;  // siege counts a request as failed that met a closed connection
  spec.timeout_ns = static_cast<int64_t>(settings.timeout_s * static_cast<double>(kSecondNs));
  spec.tls.certificate_file = settings.ssl_cert;
  spec.tls.key_file = settings.ssl_key;
  spec.tls.ciphers = settings.ssl_ciphers;
  spec.capture_exchange = settings.debug;
  return spec;
}

// One siege, from the plan to the exit code.
class Siege {
 public:
  explicit Siege(const SiegePlan& plan)
      : plan_(plan), settings_(plan.settings), lines_(plan.settings), shared_(plan) {}

  int run() {
    if (settings_.logging) open_log();
    if (!settings_.quiet && !settings_.get) (void)cli::write_stderr(banner(plan_.users));
    Expected<RunResult> result = carry_out();
    if (!result) return fatal(result.error().text);
    const Expected<void> lines = writer_->finish();
    SiegeTally tally = shared_.total();
    if (result->stopped_by == StoppedBy::kUnresolved) tally.failed += tell_unresolved(*result);
    const SiegeFigures figures = figures_of(tally, result->elapsed_ns, settings_.quirks);
    const bool reported = report(*result, figures);
    if (!lines) say("error", lines.error().text);
    if (writer_->lost() > 0) {
      say("error",
          fmt::format("{} lines were not written; the figures have them all", writer_->lost()));
    }
    const bool filed = write_files(figures);
    return reported && lines && filed ? cli::kExitOk : cli::kExitUsage;
  }

 private:
  Expected<RunResult> carry_out() {
    signals_.emplace();
    RunSpec spec = make_spec(plan_);
    std::vector<std::unique_ptr<cli::RecordQueue>> queues;
    for (uint32_t i = 0; i < spec.workers; ++i) {
      queues.push_back(
          std::make_unique<cli::RecordQueue>(settings_.print ? kPageQueueBytes : kQueueBytes));
    }
    writer_ = std::make_unique<cli::RecordWriter>(
        std::move(queues), [this](std::string_view message) { return lines_.consume(message); },
        [this] { return lines_.flush(); });
    spec.make_source = [this](uint32_t worker, uint32_t) {
      return std::make_unique<SiegeSource>(shared_, worker, &writer_->queue(worker));
    };
    const auto ready = [](Run& run) {
      for (const std::string& line : run.warnings()) say("alert", line);
    };
    cli::RunObserver observer(
        std::nullopt, false,
        settings_.debug ? cli::DebugOutput::kExchange : cli::DebugOutput::kNone);
    return cli::run_to_end(std::move(spec), observer, *signals_, ready);
  }

  // No user came to its first request, for want of an address. How many names had none.
  static uint64_t tell_unresolved(const RunResult& result) {
    std::set<std::string> texts;
    for (const ErrorCount& row : result.errors) texts.insert(row.text);
    for (const std::string& text : texts) say("error", text);
    return texts.size();
  }

  void open_log() {
    Expected<SiegeLog> log = SiegeLog::open(settings_.logfile);
    if (!log) return log_failed(log.error());
    log_ = std::move(*log);
    if (settings_.mark.empty()) return;
    if (auto written = log_->append(log_mark(settings_.mark)); !written) {
      log_failed(written.error());
    }
  }
  void log_failed(const Error& error) {
    say("error", error.text);
    log_failed_ = true;
  }

  // False when it could not be written.
  bool report(const RunResult& result, const SiegeFigures& figures) const {
    std::string opening;
    const bool lifted = signals_->received() != 0 || (result.stopped_by == StoppedBy::kDuration);
    if (lifted && !settings_.quiet) opening += "\nLifting the server siege...";
    if (result.stopped_by == StoppedBy::kBailout) {
      opening +=
          "\nsiege aborted due to excessive socket failure; you\n"
          "can change the failure threshold in $HOME/.siegerc";
    }
    opening += '\n';
    if (settings_.json) {
      (void)cli::write_stderr(opening);
      return cli::write_report("siege", json_report(figures));
    }
    if (settings_.quiet) return opening.size() == 1 || cli::write_stderr(opening).has_value();
    return cli::write_stderr(opening + text_report(figures, settings_.old_report)).has_value();
  }

  bool write_files(const SiegeFigures& figures) {
    if (settings_.quirks && settings_.cookies) write_cookies();
    if (!log_) return !log_failed_;
    if (auto written = log_->append(log_line(figures, unix_now_s())); !written) {
      log_failed(written.error());
    } else if (settings_.show_logfile && !settings_.quiet) {
      (void)cli::write_stderr(fmt::format(
          "LOG FILE: {}\nYou can disable this log file notification by editing\n{} and changing "
          "'show-logfile' to false.\n",
          log_->path(),
          settings_.config_file.empty() ? "$HOME/.siege/siege.conf" : settings_.config_file));
    }
    return !log_failed_;
  }

  // Where the directory is not there it is not made.
  void write_cookies() const {
    http::CookieJar all;
    for (const auto& user : shared_.users()) {
      for (const http::Cookie& cookie : user->cookies().cookies()) all.add(cookie);
    }
    Expected<cli::OutputFile> file = cli::OutputFile::open(cookies_path());
    if (!file) return say("error", file.error().text);
    if (auto written = file->write(cookies_text(all.cookies())); !written) {
      say("error", written.error().text);
    }
  }

  const SiegePlan& plan_;
  const SiegeSettings& settings_;
  LineWriter lines_;
  SiegeShared shared_;
  std::optional<cli::StopSignals> signals_;  // before any other thread
  std::unique_ptr<cli::RecordWriter> writer_;
  std::optional<SiegeLog> log_;
  bool log_failed_ = false;
};

// What follows from the options together.
void settle(SiegeSettings& settings) {
  if (settings.json) settings.quiet = true;
  if (settings.quiet) settings.verbose = settings.debug = false;
  if (settings.get || settings.print) {
    settings.concurrent = settings.reps.emplace(1);
    settings.once = settings.logging = false;
    settings.time_ns.reset();
  }
  if (settings.time_ns && (settings.reps || settings.once)) {
    say("error", "CONFIG conflict: selected time and repetition based testing");
    (void)cli::write_stderr(fmt::format("defaulting to time-based testing: {} seconds\n",
                                        *settings.time_ns / kSecondNs));
    settings.reps.reset();
    settings.once = false;
  }
}

void cap_users(SiegeSettings& settings) {
  if (settings.concurrent <= settings.limit || settings.limit < 1) return;
  settings.concurrent = settings.limit;
  const std::string line(64, '=');
  const std::string text = fmt::format(
      "\n{0}\nWARNING: The number of users is capped at {1}.  More need a\n"
      "         higher 'limit' in the configuration file.\n{0}\n",
      line, settings.limit);
  // Standard output is siege's choice; beside a JSON report nothing else may be there.
  (void)(settings.json ? cli::write_stderr(text) : cli::write_stdout(text));
}

int print(const std::string& text) {
  return cli::write_text("siege", text) ? cli::kExitOk : cli::kExitUsage;
}

// siege shows its help when it has no list of URLs, and takes that for no failure.
int no_list(const Error& error) {
  say("alert", error.text);
  (void)cli::write_stderr(fmt::format("SIEGE {}\n", kSiegeVersion));
  return print(help_text());
}

int besiege(SiegePlan& plan) {
  SiegeSettings& settings = plan.settings;
  settle(settings);
  cap_users(settings);
  if (settings.url.empty()) {
    // Read once more when the plan is made; the help is for a file that cannot be read at all.
    if (const auto list = base::read_file(settings.file); !list) {
      return no_list({"unable to open file: " + list.error().text});
    }
  }
  if (settings.cookies) {
    if (const auto text = base::read_file(cookies_path()); text) {
      plan.cookies = read_cookies(*text, unix_now_s());
    }
  }
  if (const Expected<void> complete = complete_plan(plan); !complete) {
    return fatal(complete.error().text);
  }
  return Siege(plan).run();
}

}  // namespace

int siege_command(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  SiegePlan plan;
  SiegeSettings& settings = plan.settings;
  SiegeCall call;
  // Once for the name of the configuration file alone: what the command line says comes last.
  cli::GetoptRules rules{.program = "siege", .on_unknown = [](const std::string&) {}};
  (void)cli::parse_getopt(siege_flags(settings, call), args, rules);
  const std::string config_file = call.config_file;
  settings = SiegeSettings();
  call = SiegeCall();
  if (const auto read = load_config(config_file, settings); !read) {
    (void)cli::write_stderr(read.error().text + "\n");
    return cli::kExitUsage;
  }
  rules.on_unknown = [](const std::string& message) { (void)cli::write_stderr(message + "\n"); };
  const auto operands = cli::parse_getopt(siege_flags(settings, call), args, rules);
  if (!operands) return fatal(operands.error().text);
  std::vector<std::string> words = operands->words;
  words.insert(words.end(), operands->after_dashes.begin(), operands->after_dashes.end());

  if (call.version) {
    return cli::write_stderr(version_text()) ? cli::kExitOk : cli::kExitUsage;
  }
  if (call.help) {
    (void)cli::write_stderr(fmt::format("SIEGE {}\n", kSiegeVersion));
    return print(help_text());
  }
  if (!words.empty()) settings.url = words.back();
  if (call.show_config) return print(configuration_text(settings));
  if ((settings.get || settings.print) && words.empty()) {
    print("ERROR: -g/--get requires a commandline URL\n");
    return cli::kExitUsage;
  }
  return besiege(plan);
}

}  // namespace carronade::dialects::siege
