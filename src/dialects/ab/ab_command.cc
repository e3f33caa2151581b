#include "dialects/ab/ab_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "cli/cli_run.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/record_writer.h"
#include "cli/stop_signals.h"
#include "dialects/ab/ab_faults.h"
#include "dialects/ab/ab_file.h"
#include "dialects/ab/ab_flags.h"
#include "dialects/ab/ab_head_log.h"
#include "dialects/ab/ab_progress.h"
#include "dialects/ab/ab_report.h"
#include "dialects/ab/ab_request.h"
#include "dialects/ab/ab_source.h"
#include "dialects/ab/ab_target.h"
#include "report/result_json.h"

namespace carronade::dialects::ab {
namespace {

constexpr int kUsage = EINVAL;
constexpr int kFatal = 1;

int complain(std::string_view text) {
  cli::tell("", text);
  return kFatal;
}

int misuse(const std::string& text) {
  (void)cli::write_stderr((text.empty() ? "" : text + "\n") + ab_usage());
  return kUsage;
}

// One command from its options to its exit code.
class Command {
 public:
  Command(const AbOptions& options, AbTarget target, std::optional<AbProxy> proxy)
      : options_(options),
        target_(std::move(target)),
        proxy_(std::move(proxy)),
        spec_(
            ab_spec(options_, target_, proxy_, std::max(1U, std::thread::hardware_concurrency()))),
        run_(options_.go_on_after_errors, spec_.timeout_ns),
        progress_(options_) {}

  int execute() {
    if (!open_file(options_.csv_file, "CSV", csv_) ||
        !open_file(options_.gnuplot_file, "gnuplot", gnuplot_)) {
      return kFatal;
    }
    cli::StopSignals signals;
    const Expected<RunResult> result = fire(signals);
    if (!result) return complain("ab: " + result.error().text);
    const int ended = end(*result, signals.received() != 0);
    // A full disk costs the files or the page, never the exit code of what ended the run.
    const bool told = tell_all(*result);
    return ended != 0 || told ? ended : kFatal;
  }

 private:
  static bool open_file(const std::string& path, std::string_view what,
                        std::optional<AbFile>& file) {
    if (path.empty()) return true;
    Expected<AbFile> opened = AbFile::open(path);
    if (!opened) {
      complain(fmt::format("Cannot open {} output file: {}", what, opened.error().text));
      return false;
    }
    file = std::move(*opened);
    return true;
  }

  // Standard output. When it cannot be written the report at the end says so.
  static void print(const std::string& text) { (void)cli::write_stdout(text); }

  std::string opening() const {
    std::string text = options_.banner ? ab_banner(report::version(), options_.html) : "";
    if (!options_.html) {
      text += "Benchmarking " + target_.host + " ";
      if (proxy_) text += fmt::format("[through {}:{}] ", proxy_->host, proxy_->port);
      text += progress_.beats() ? "(be patient)\n" : "(be patient)...";
    }
    if (options_.verbosity >= 2) {
      const std::string request = ab_request(options_, target_);
      text += fmt::format("INFO: {} header == \n---\n{}\n---\n",
                          options_.method.empty() ? "GET" : options_.method,
                          request.substr(0, request.find("\r\n\r\n") + 4));
    }
    return text;
  }

  Expected<RunResult> fire(cli::StopSignals& signals) {
    std::optional<AbHeadLog> log;
    if (options_.verbosity >= 2) log.emplace(spec_.workers, options_.verbosity);
    RunSpec spec = spec_;
    spec.make_source = [this, &log](uint32_t worker, uint32_t) {
      return std::make_unique<AbSource>(run_, options_.concurrency, options_.keep_alive,
                                        log ? &log->queue(worker) : nullptr);
    };
    unix_minus_monotonic_ns_ = base::unix_now_ns() - base::now_ns();
    Expected<RunResult> result =
        cli::run_to_end(std::move(spec), progress_, signals, [this](Run& run) {
          for (const std::string& line : run.warnings()) cli::tell("ab", "warning: " + line);
          print(opening());
          run_.begin(run);
        });
    if (log) {
      if (const std::string trouble = log->finish(); !trouble.empty()) complain("ab: " + trouble);
    }
    return result;
  }

  // Says how the run ended; the exit code.
  int end(const RunResult& result, bool interrupted) {
    progress_.finish(result.answered);
    std::optional<AbFault> fault = run_.fault();
    if (!fault && result.stopped_by == StoppedBy::kUnresolved) {
      const std::string text = result.errors.empty() ? "" : result.errors.front().text;
      const Url& dialled = spec_.proxy ? spec_.proxy->url : spec_.targets.front().url;
      fault = lookup_fault(dialled.host, text);
    }
    if (fault) {
      (void)cli::write_stderr(fault->message + "\n");
      if (result.answered > 0) {
        print(fmt::format("Total of {} requests completed\n", result.answered));
      }
      return fault->exit_code;
    }
    if (interrupted) return kFatal;
    if (progress_.beats()) {
      (void)cli::write_stderr(fmt::format("Finished {} requests\n", complete(result)));
    } else {
      print("..done\n");
    }
    return cli::kExitOk;
  }

  // The report and the files; false when something could not be written.
  bool tell_all(const RunResult& result) {
    const bool ended_early =
        run_.fault().has_value() || result.stopped_by == StoppedBy::kUnresolved;
    // ab throws away what it has measured when an error ends it.
    if (ended_early && (options_.quirks || result.answered == 0)) return true;
    const AbReport report = make_report(result);
    const AbStyle style{.percentiles = options_.percentiles,
                        .confidence = options_.confidence,
                        .quirks = options_.quirks,
                        .table_attributes = options_.table_attributes,
                        .row_attributes = options_.row_attributes,
                        .cell_attributes = options_.cell_attributes};
    if (options_.verbosity >= 2 && report.tls) tell_tls(*report.tls);
    const bool printed = cli::write_report(
        "ab", options_.html ? ab_html_report(report, style) : ab_text_report(report, style));
    if (!options_.quirks) tell_errors(result);
    if (const std::string note = retry_note(result.retried); !note.empty()) cli::tell("ab", note);
    return write_files(report) && printed;
  }

  static void tell_tls(const TlsFacts& tls) {
    (void)cli::write_stderr(
        fmt::format("Transport Protocol      :{}\n"
                    "Cipher Suite Protocol   :{}\n"
                    "Cipher Suite Name       :{}\n"
                    "Cipher Suite Cipher Bits:{} ({})\n",
                    tls.protocol, tls.protocol, tls.cipher, tls.cipher_bits, tls.cipher_bits));
  }

  // ab gives numbers only: nobody can tell from them what failed.
  static void tell_errors(const RunResult& result) {
    for (const ErrorCount& error : result.errors) {
      cli::tell("ab", fmt::format("{} x {}", error.count, error.text));
    }
  }

  uint64_t complete(const RunResult& result) const {
    if (!options_.quirks) return result.answered;
    AbFailures failures = lost();
    return result.answered + failed_requests(failures);
  }

  AbFailures lost() const {
    AbFailures sum;
    for (const std::unique_ptr<AbTally>& tally : run_.tallies()) {
      const AbFailures& one = tally->failures;
      sum.connect += one.connect;
      sum.receive += one.receive;
      sum.length += one.length;
      sum.exceptions += one.exceptions;
      sum.write += one.write;
    }
    return sum;
  }

  AbReport make_report(const RunResult& result) {
    AbReport report{.host = target_.host,
                    .port = target_.port,
                    .path = target_.path,
                    .server_name = spec_.tls.server_name.value_or(""),
                    .concurrency = options_.concurrency,
                    .variable_length = options_.variable_length,
                    .keep_alive = options_.keep_alive,
                    .with_body = options_.body.has_value(),
                    .server = {},
                    .tls = target_.tls ? result.tls : std::nullopt,
                    .elapsed_ns = 0,
                    .complete = complete(result),
                    .failures = lost(),
                    .non_2xx = result.answered - result.status_class(2),
                    .bytes_received = result.bytes_received,
                    .bytes_sent = result.bytes_sent,
                    .bytes_body = result.bytes_body,
                    .records = {},
                    .times = {}};
    if (run_.document_bytes() != AbRun::kNoLength) report.document_bytes = run_.document_bytes();
    size_t count = 0;
    for (const std::unique_ptr<AbTally>& tally : run_.tallies()) count += tally->records.size();
    report.records.reserve(count);
    for (const std::unique_ptr<AbTally>& tally : run_.tallies()) {
      if (!options_.variable_length) report.failures.length += tally->wrong_lengths;
      report.kept_alive += tally->kept_alive;
      if (report.server.empty()) report.server = base::printable(tally->server);
      tally->records.move_to(report.records);
    }
    report.elapsed_ns = elapsed_ns(result, report.records);
    if (count > 0) report.times = ab_times(report.records, options_.quirks);
    return report;
  }

  // ab's clock starts with the first connection, the engine's before its threads. With errors
  // the engine's holds: what failed has no record.
  int64_t elapsed_ns(const RunResult& result, const std::vector<AbRecord>& records) const {
    if (records.empty() || result.error_total() > 0) return result.elapsed_ns;
    const auto first = std::min_element(
        records.begin(), records.end(),
        [](const AbRecord& a, const AbRecord& b) { return a.start_ns < b.start_ns; });
    const int64_t start_ns = result.start_unix_ns - unix_minus_monotonic_ns_;
    const int64_t before_ns = std::clamp<int64_t>(first->start_ns - start_ns, 0, result.elapsed_ns);
    return result.elapsed_ns - before_ns;
  }

  bool write_files(const AbReport& report) {
    // ab writes no files beside HTML.
    if (!report.times || (options_.quirks && options_.html)) return true;
    bool written = true;
    const auto keep = [&written](const Expected<void>& done) {
      if (!done) complain("ab: " + done.error().text);
      written = written && done.has_value();
      return done.has_value();
    };
    if (csv_) keep(csv_->write(ab_csv(report, options_.quirks)));
    if (!gnuplot_ || !keep(gnuplot_->write(ab_gnuplot_header()))) return written;
    constexpr size_t kPiece = 65'536;
    for (size_t first = 0; first < report.records.size(); first += kPiece) {
      const std::string rows = ab_gnuplot_rows(report, first, kPiece, unix_minus_monotonic_ns_);
      if (!keep(gnuplot_->write(rows))) break;
    }
    return written;
  }

  const AbOptions& options_;
  const AbTarget target_;
  const std::optional<AbProxy> proxy_;
  const RunSpec spec_;
  AbRun run_;
  AbProgress progress_;
  std::optional<AbFile> csv_;
  std::optional<AbFile> gnuplot_;
  int64_t unix_minus_monotonic_ns_ = 0;
};

// What ab refuses with its usage, "" for nothing.
std::string contradiction(const AbOptions& options) {
  if (options.concurrency == 0) return "ab: Invalid Concurrency [Range 0..200000]";
  if (options.concurrency > options.requests) {
    return "ab: Cannot use concurrency level greater than total number of requests";
  }
  return "";
}

}  // namespace

int ab_command(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  AbOptions options;
  const Expected<AbWords> words = parse_ab(args, options);
  if (!words) return complain(words.error().text);
  if (!words->misuse.empty()) return misuse(words->misuse + "\nab: wrong number of arguments");
  if (options.help) return misuse("");
  if (options.version) {
    const bool written = cli::write_text("ab", ab_banner(report::version(), options.html));
    return written ? cli::kExitOk : kFatal;
  }
  if (words->operands.size() != 1) return misuse("ab: wrong number of arguments");
  std::optional<AbTarget> target = parse_ab_target(words->operands[0]);
  if (!target) return misuse("ab: invalid URL");
  if (const std::string text = contradiction(options); !text.empty()) return misuse(text);
  std::optional<AbProxy> proxy;
  if (!options.proxy.empty() && !(proxy = parse_ab_proxy(options.proxy))) {
    return complain("ab: -X " + options.proxy + " is not host[:port]");
  }
  return Command(options, std::move(*target), std::move(proxy)).execute();
}

}  // namespace carronade::dialects::ab
