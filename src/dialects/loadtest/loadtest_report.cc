#include "dialects/loadtest/loadtest_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "dialects/loadtest/loadtest_losses.h"
#include "dialects/loadtest/loadtest_numbers.h"

namespace carronade::dialects::loadtest {
namespace {

constexpr double kSecond = 1e9;
constexpr size_t kFirstError = 400;
constexpr const char* kNone = "n/a";

double seconds(int64_t ns) { return static_cast<double>(ns) / kSecond; }

// A whole number, but for fewer than 10 a second, where that would be far off. Next to no time
// without an answer is no rate: a name that cannot be found is told within microseconds.
std::string rate_text(uint64_t requests, int64_t span_ns, bool answered = true) {
  constexpr int64_t kLeastNs = 1'000'000;
  if (span_ns <= 0 || (!answered && span_ns < kLeastNs)) return kNone;
  const double rate = static_cast<double>(requests) / seconds(span_ns);
  constexpr double kFew = 10;
  return rounded_number(rate, rate < kFew ? 2 : 0);
}

uint64_t failed_upgrades(const RunResult& result) {
  uint64_t count = 0;
  for (const ErrorCount& error : result.errors) {
    if (error.kind == ErrorKind::kUpgradeRefused) count += error.count;
  }
  return count;
}

std::vector<std::pair<std::string, uint64_t>> error_codes(const RunResult& result) {
  std::vector<uint64_t> by_status(result.by_status.begin(), result.by_status.end());
  // A handshake that was refused is told by its status, as a request would be.
  uint64_t refused = 0;
  if (result.websocket) {
    for (const auto& [status, count] : result.websocket->refused_by_status) {
      const size_t shown = status < by_status.size() ? status : 0;
      by_status[shown] += count;
      if (shown >= kFirstError) refused += count;
    }
  }
  std::vector<std::pair<std::string, uint64_t>> codes;
  for (size_t status = kFirstError; status < by_status.size(); ++status) {
    if (by_status[status] > 0) codes.emplace_back(std::to_string(status), by_status[status]);
  }
  const uint64_t without = lost_requests(result) - std::min(refused, failed_upgrades(result));
  if (without > 0) codes.emplace_back("-1", without);
  return codes;
}

std::string line(std::string_view label, const std::string& value) {
  return fmt::format("{:<21}{}\n", label, value);
}

std::string opening(const LoadtestReport& report) {
  std::string text = "\n" + line("Target URL:", base::printable(report.url));
  if (report.max_requests) {
    text += line("Max requests:", std::to_string(*report.max_requests));
  } else if (report.max_seconds) {
    text += line("Max time (s):", plain_number(*report.max_seconds));
  }
  if (report.requests_per_second) {
    text += line("Target rps:", plain_number(*report.requests_per_second));
  }
  text += line("Concurrent clients:", std::to_string(report.clients));
  if (report.cores > 1) text += line("Running on cores:", std::to_string(report.cores));
  return text + line("Agent:", report.agent);
}

std::string percentile_lines(const Histogram& latency) {
  std::string text = "\nPercentage of requests served within a certain time\n";
  const auto shown = [&latency](int64_t ns) {
    return latency.empty() ? std::string(kNone) : latency_text(ns) + " ms";
  };
  for (const int percent : {50, 90, 95, 99}) {
    text += fmt::format("  {}%      {}\n", percent, shown(latency.percentile(percent)));
  }
  return text + fmt::format(" 100%      {} (longest request)\n", shown(latency.max()));
}

// Due, and not even tried: a connection that could not be made has taken its request with it, and
// is among the errors.
uint64_t never_sent(const RunResult& result) {
  if (!result.rate) return 0;
  const uint64_t dropped = result.rate->refused + result.rate->unsent;
  const uint64_t unmade = lost_requests(result) - result.failed - result.timed_out;
  return dropped - std::min(dropped, unmade);
}

// A few are always under way when a time is over; many, beside what was answered, are a finding.
bool tells_in_flight(const RunResult& result) {
  constexpr uint64_t kFew = 100;
  return result.in_flight > (result.answered + lost_requests(result)) / kFew;
}

bool distrusts(const RunResult& result) {
  return std::any_of(result.errors.begin(), result.errors.end(), [](const ErrorCount& error) {
    return error.kind == ErrorKind::kTlsCertificate;
  });
}

std::string plural(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? " was" : "s were");
}

}  // namespace

LoadtestReport make_loadtest_report(const LoadtestSettings& settings, const RunResult& result) {
  LoadtestReport report;
  report.url = settings.url_text;
  report.max_requests = settings.max_requests;
  report.max_seconds = settings.max_seconds;
  report.requests_per_second = settings.requests_per_second;
  report.clients = result.open_loop() ? result.connections_peak : result.connections_asked;
  report.cores = std::max<uint64_t>(result.workers.size(), 1);
  report.agent = settings.tcp ? "tcp" : settings.keep_alive ? "keepalive" : "none";
  report.completed = result.answered + lost_requests(result);
  report.elapsed_ns = result.elapsed_ns;
  report.latency = result.latency;
  report.error_codes = error_codes(result);
  return report;
}

std::string loadtest_report_text(const LoadtestReport& report) {
  uint64_t errors = 0;
  for (const auto& [code, count] : report.error_codes) errors += count;
  const Histogram& latency = report.latency;
  constexpr int kMilliseconds = 3;
  std::string text =
      opening(report) + "\n" + line("Completed requests:", std::to_string(report.completed)) +
      line("Total errors:", std::to_string(errors)) +
      line("Total time:", rounded_number(seconds(report.elapsed_ns), kMilliseconds) + " s") +
      line("Mean latency:", latency.empty() ? kNone : mean_text(latency.mean()) + " ms") +
      line("Effective rps:", rate_text(report.completed, report.elapsed_ns, !latency.empty())) +
      percentile_lines(latency);
  if (errors > 0) text += "\n";
  for (const auto& [code, count] : report.error_codes) {
    text += fmt::format(" {:>4}:   {} errors\n", code, count);
  }
  return text;
}

std::vector<std::string> loadtest_notes(const RunResult& result) {
  std::vector<std::string> notes;
  for (const ErrorCount& error : result.errors) {
    notes.push_back(fmt::format("{} x {}", error.count, error.text));
  }
  if (distrusts(result)) {
    notes.emplace_back(
        "trusted are the system's certificates and those in the file that SSL_CERT_FILE names; "
        "--insecure accepts any");
  }
  if (const uint64_t unsent = never_sent(result); unsent > 0) {
    notes.push_back(plural(unsent, "request") +
                    " due and not sent: no connection was free, or the time was over");
  }
  if (tells_in_flight(result)) {
    notes.push_back(plural(result.in_flight, "request") +
                    " in flight at the end, without an answer so far: in none of the figures");
  }
  if (result.retried > 0) {
    notes.push_back(plural(result.retried, "request") +
                    " sent again after the server had closed an idle connection");
  }
  return notes;
}

std::string loadtest_progress_text(const LoadtestCounts& now, const LoadtestCounts& before,
                                   int64_t span_ns, std::optional<uint64_t> max_requests) {
  constexpr double kPercent = 100;
  const auto total = static_cast<double>(now.requests());
  const std::string share =
      max_requests
          ? fmt::format(" ({}%)",
                        rounded_number(kPercent * total / static_cast<double>(*max_requests), 0))
          : "";
  const uint64_t answered = now.answered - before.answered;
  const std::string mean = answered == 0
                               ? kNone
                               : mean_text(static_cast<double>(now.latency_ns - before.latency_ns) /
                                           static_cast<double>(answered)) +
                                     " ms";
  std::string text =
      fmt::format("Requests: {}{}, requests per second: {}, mean latency: {}\n", now.requests(),
                  share, rate_text(now.requests() - before.requests(), span_ns), mean);
  if (now.errors > 0) {
    text += fmt::format("Errors: {}, accumulated errors: {}, {}% of total requests\n",
                        now.errors - before.errors, now.errors,
                        rounded_number(kPercent * static_cast<double>(now.errors) / total, 1));
  }
  return text;
}

}  // namespace carronade::dialects::loadtest
