#include "dialects/carronade/strict_text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "dialects/carronade/strict_stats.h"
#include "report/table.h"

namespace carronade::dialects {
namespace {

using report::Cell;
using report::Style;
using report::Table;

// As JavaScript prints a number: "12", "0.25", "1234.5".
std::string js_number(double number) { return fmt::format("{}", number); }

// As toLocaleString does in English: "1,234.5".
std::string locale_number(double number) {
  std::string text = js_number(number);
  const size_t end = std::min(text.find('.'), text.size());
  for (size_t i = end; i > 3;) {
    i -= 3;
    text.insert(i, 1, ',');
  }
  return text;
}

// 1000-based units, 3 significant digits, no trailing zeros. As in autocannon the unit is chosen
// before rounding, so that 999.6 is "1000 B".
std::string pretty_bytes(double bytes) {
  constexpr std::array<std::string_view, 9> kUnits{"B",  "kB", "MB", "GB", "TB",
                                                   "PB", "EB", "ZB", "YB"};
  size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  // 3 digits, then back to a number: JavaScript's Number(x.toPrecision(3)).
  const std::string digits = fmt::format("{:.2e}", bytes);
  double rounded = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return fmt::format("{} {}", js_number(rounded), kUnits[unit]);
}

// "998", "12k": never M, no separators.
std::string rounded_count(uint64_t number) {
  if (number < 1000) return fmt::format("{}", number);
  return fmt::format("{}k", number / 1000 + (number % 1000 >= 500 ? 1 : 0));
}

std::string ms(double number) { return js_number(number) + " ms"; }

double whole(int64_t number) { return static_cast<double>(number); }

std::string latency_table(const StrictStats& latency, bool colour) {
  const Table table{{"Stat", "2.5%", "50%", "97.5%", "99%", "Avg", "Stdev", "Max"},
                    {{{"Latency", Style::kName},
                      {ms(whole(latency.percentile(2.5)))},
                      {ms(whole(latency.percentile(50)))},
                      {ms(whole(latency.percentile(97.5)))},
                      {ms(whole(latency.percentile(99)))},
                      {ms(latency.average())},
                      {ms(latency.stddev())},
                      {ms(whole(latency.max()))}}}};
  return report::render_table(table, colour);
}

template <class Format>
std::vector<Cell> spread_row(const char* name, const StrictStats& stats, Format format) {
  return {{name, Style::kName},
          {format(whole(stats.percentile(1)))},
          {format(whole(stats.percentile(2.5)))},
          {format(whole(stats.percentile(50)))},
          {format(whole(stats.percentile(97.5)))},
          {format(stats.average())},
          {format(stats.stddev())},
          {format(whole(stats.min()))}};
}

std::string spread_table(const std::vector<Window>& ticks, bool colour) {
  StrictStats requests;
  StrictStats bytes;
  for (const Window& tick : ticks) {
    requests.add(static_cast<int64_t>(tick.answered), 1);
    bytes.add(static_cast<int64_t>(tick.bytes_received), 1);
  }
  const Table table{{"Stat", "1%", "2.5%", "50%", "97.5%", "Avg", "Stdev", "Min"},
                    {spread_row("Req/Sec", requests, locale_number),
                     spread_row("Bytes/Sec", bytes, pretty_bytes)}};
  return report::render_table(table, colour);
}

std::string status_table(const RunResult& result, bool colour) {
  Table table{{"Code", "Count"}, {}};
  for (size_t code = 0; code < result.by_status.size(); ++code) {
    if (result.by_status[code] == 0) continue;
    const Style style = code >= 400 && code < 600 ? Style::kAlarm : Style::kGood;
    table.rows.push_back(
        {{fmt::format("{}", code), style}, {fmt::format("{}", result.by_status[code])}});
  }
  return report::render_table(table, colour);
}

std::string percentile_table(const StrictStats& latency, bool colour) {
  Table table{{"Percentile", "Latency (ms)"}, {}};
  for (const NamedPercentile& p : kAutocannonPercentiles) {
    table.rows.push_back(
        {{p.name, Style::kName}, {fmt::format("{}", latency.percentile(p.percent))}});
  }
  return report::render_table(table, colour);
}

std::string tables(const RunResult& result, const ReportFacts& facts) {
  const StrictStats latency = strict_latency(main_latency(result, facts));
  const std::vector<Window> ticks = strict_ticks(result);
  std::string out = "\n";
  out += latency_table(latency, facts.colour);
  out += spread_table(ticks, facts.colour);
  if (facts.status_codes) out += status_table(result, facts.colour);
  const double sample_s = static_cast<double>(result.sample_interval_ns) / 1e9;
  out += sample_s == 1 ? "\nReq/Bytes counts sampled once per second.\n"
                       : fmt::format("\nReq/Bytes counts sampled every {} seconds.\n", sample_s);
  out += fmt::format("# of samples: {}\n\n", ticks.size());
  if (facts.latency_table) out += percentile_table(latency, facts.colour) + "\n";
  return out;
}

}  // namespace

std::string strict_run_header(const ReportFacts& facts, bool warmup) {
  std::string out = "Running ";
  out += facts.amount ? fmt::format("{} requests", *facts.amount)
                      : fmt::format("{}s", js_number(facts.duration_s));
  out += fmt::format(" {} @ {}", warmup ? "warmup" : "test", fmt::join(facts.urls, ","));
  if (!facts.socket_path.empty()) out += fmt::format(" ({})", facts.socket_path);
  out += fmt::format("\n{} connections", facts.connections);
  if (facts.pipelining > 1) out += fmt::format(" with {} pipelining factor", facts.pipelining);
  out += "\n";
  if (facts.workers > 0) out += fmt::format("{} workers\n", facts.workers);
  return out + "\n";
}

std::string strict_text_report(const RunResult& result, const ReportFacts& facts) {
  std::string out = facts.verbose ? tables(result, facts) : std::string();
  if (result.non_2xx() > 0) {
    out += fmt::format("{} 2xx responses, {} non 2xx responses\n", result.status_class(2),
                       result.non_2xx());
  }
  const double seconds = std::round(static_cast<double>(result.elapsed_ns) / 1e7) / 100;
  out += fmt::format("{} requests in {}s, {} read\n", rounded_count(result.sent),
                     js_number(seconds), pretty_bytes(static_cast<double>(result.bytes_received)));
  if (result.error_total() > 0) {
    out += fmt::format("{} errors ({} timeouts)\n", rounded_count(result.error_total()),
                       rounded_count(result.timeout_total()));
  }
  if (result.mismatched > 0) {
    out += fmt::format("{} requests with mismatched body\n", rounded_count(result.mismatched));
  }
  return out;
}

}  // namespace carronade::dialects
