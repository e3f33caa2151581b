#include "dialects/wrk/wrk_report.h"

#include <fmt/format.h>

#include <cmath>

#include "dialects/wrk/wrk_units.h"

namespace carronade::dialects::wrk {
namespace {

constexpr double kUsPerSecond = 1e6;
constexpr double kNsPerUs = 1e3;
constexpr std::array<double, 4> kPercents{50, 75, 90, 99};

// Widths of the three columns in front of the percentage.
constexpr int kMeanWidth = 8;
constexpr int kStdevWidth = 10;
constexpr int kMaxWidth = 9;
constexpr int kPercentileWidth = 10;

using NumberText = std::string (*)(double value, int width);

std::string percent_text(double percent, bool quirks) {
  if (!std::isnan(percent)) return fmt::format("{:8.2f}%", percent);
  return fmt::format("{:>8}%", quirks ? "-nan" : "0.00");
}

std::string row_text(const std::string& name, const WrkRow& row, NumberText text, bool quirks) {
  return fmt::format("    {:<10}{}{}{}{}\n", name, text(row.mean, kMeanWidth),
                     text(row.stdev, kStdevWidth), text(row.max, kMaxWidth),
                     percent_text(row.within, quirks));
}

script::ScriptStats latency_of(const RunResult& result, const WrkReportOptions& options) {
  script::ScriptStats stats = latency_stats(result.latency);
  stats.rank_above = options.quirks;
  if (!options.quirks || options.wrk2 || result.answered == 0) return stats;
  const double per_connection =
      static_cast<double>(result.answered) / static_cast<double>(options.connections);
  const double elapsed_us = static_cast<double>(result.elapsed_ns) / kNsPerUs;
  return corrected(stats, elapsed_us / per_connection);
}

std::string distribution(const RunResult& result, const WrkReportOptions& options,
                         const script::ScriptStats& stats) {
  std::string out = "  Latency Distribution\n";
  for (const double percent : kPercents) {
    const double us = options.quirks
                          ? static_cast<double>(stats.percentile(percent))
                          : static_cast<double>(result.latency.percentile(percent)) / kNsPerUs;
    out += fmt::format("{:7.0f}%{}\n", percent, time_text(us, kPercentileWidth));
  }
  return out;
}

std::string spectra(const RunResult& result, const WrkReportOptions& options) {
  std::string out;
  if (options.latency || options.service_time) {
    out += spectrum_text(result.latency, "Recorded Latency");
  }
  if (options.service_time && result.rate) {
    out += spectrum_text(result.rate->service_time,
                         "Uncorrected Latency (measured without taking delayed starts into "
                         "account)");
  }
  return out;
}

std::string totals(const RunResult& result) {
  const script::ScriptSummary summary = summary_of(result);
  const double seconds = static_cast<double>(result.elapsed_ns) / 1e9;
  const auto requests = static_cast<double>(summary.requests);
  const auto bytes = static_cast<double>(summary.bytes);
  std::string out = fmt::format("  {} requests in {}, {}B read\n", summary.requests,
                                time_text(seconds * kUsPerSecond), bytes_text(bytes));
  if (summary.connect_errors + summary.read_errors + summary.write_errors + summary.timeouts > 0) {
    out += fmt::format("  Socket errors: connect {}, read {}, write {}, timeout {}\n",
                       summary.connect_errors, summary.read_errors, summary.write_errors,
                       summary.timeouts);
  }
  if (summary.status_errors > 0) {
    out += fmt::format("  Non-2xx or 3xx responses: {}\n", summary.status_errors);
  }
  const double per_second = seconds > 0 ? 1 / seconds : 0;
  out += fmt::format("Requests/sec: {:9.2f}\n", requests * per_second);
  // As wide as the line above, up to the last digit.
  std::string speed = bytes_text(bytes * per_second, 11);
  while (speed.ends_with(' ')) speed.pop_back();
  return out + "Transfer/sec: " + speed + "B\n";
}

}  // namespace

std::string wrk_heading(const WrkReportOptions& options) {
  return fmt::format("Running {} test @ {}\n  {} threads and {} connections\n",
                     whole_seconds_text(options.duration_s), options.url, options.threads,
                     options.connections);
}

std::string wrk_report(const RunResult& result, const WrkReportOptions& options) {
  const script::ScriptStats stats = latency_of(result, options);
  const WrkRow latency = options.quirks ? stats_row(stats) : latency_row(result.latency);
  const std::vector<double> rates = thread_rates(result, options.threads, options.quirks);
  std::string out = "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n";
  out += row_text("Latency", latency, time_text, options.quirks);
  out += row_text("Req/Sec", rate_row(rates), count_text, options.quirks);
  if (options.wrk2) {
    out += spectra(result, options);
  } else if (options.latency) {
    out += distribution(result, options, stats);
  }
  return out + totals(result);
}

WrkDone done_objects(const RunResult& result, const WrkReportOptions& options) {
  WrkDone done{.summary = summary_of(result),
               .latency = latency_of(result, options),
               .requests = rate_stats(thread_rates(result, options.threads, options.quirks))};
  done.requests.rank_above = options.quirks;
  return done;
}

}  // namespace carronade::dialects::wrk
