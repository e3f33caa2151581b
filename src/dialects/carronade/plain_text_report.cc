#include "dialects/carronade/plain_text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "carronade/verdict.h"
#include "dialects/carronade/latency_bounds.h"
#include "dialects/carronade/rate_report.h"
#include "dialects/carronade/report_account.h"
#include "dialects/carronade/strict_stats.h"
#include "report/interval_text.h"
#include "report/spread.h"
#include "report/table.h"

namespace carronade::dialects {
namespace {

using report::Cell;
using report::Counted;
using report::Spread;
using report::Style;
using report::Table;

// 3 digits below 100, whole numbers above: "0.25", "46.5", "1,234".
std::string rate_text(double per_second) {
  if (per_second < 99.95) return fmt::format("{:.3g}", per_second);
  return base::format_thousands(static_cast<uint64_t>(std::llround(per_second)));
}

std::string percentile_text(const Histogram& histogram, double percent) {
  if (histogram.empty()) return "n/a";
  return base::format_duration(static_cast<double>(histogram.percentile(percent)));
}

constexpr double kRowPercentiles[] = {2.5, 50.0, 97.5, 99.0};

std::vector<Cell> time_row(const char* name, const Histogram& histogram) {
  std::vector<Cell> row{{name, Style::kName}};
  for (const double percent : kRowPercentiles) row.push_back({percentile_text(histogram, percent)});
  const auto moment = [&histogram](double ns) {
    return Cell{histogram.empty() ? "n/a" : base::format_duration(ns)};
  };
  row.push_back(moment(histogram.mean()));
  row.push_back(moment(histogram.stddev()));
  row.push_back(moment(static_cast<double>(histogram.max())));
  row.push_back({base::format_thousands(histogram.count())});
  return row;
}

// The two rows below that of latency: where the true figures are, as far as n can tell.
// `with_mean` is false where the intervals of the run are not of these times.
void add_bounds(const LatencyBounds& bounds, bool with_mean, std::vector<std::vector<Cell>>& rows) {
  std::vector<Cell> from{{"  95% from"}};
  std::vector<Cell> to{{"  95% to"}};
  const auto add = [&from, &to](const auto& interval) {
    const auto text = [&interval](auto end) {
      return Cell{interval ? base::format_duration(static_cast<double>((*interval).*end))
                           : kTooFew};
    };
    using Ends = typename std::decay_t<decltype(interval)>::value_type;
    from.push_back(text(&Ends::low));
    to.push_back(text(&Ends::high));
  };
  for (const double percent : kRowPercentiles) add(bounds.percentile(percent));
  if (with_mean) add(bounds.mean());
  rows.push_back(std::move(from));
  rows.push_back(std::move(to));
}

// The other phases only with -l, to keep the everyday report short.
std::string time_table(const RunResult& result, const ReportFacts& facts,
                       const LatencyBounds& bounds) {
  const Histogram& latency = main_latency(result, facts);
  Table table{{"Stat", "2.5%", "50%", "97.5%", "99%", "Avg", "Stdev", "Max", "n"},
              {time_row("Latency", latency)}};
  table.rules_between_rows = false;
  const bool response_time = &latency == &result.latency;
  if (!latency.empty()) add_bounds(bounds, response_time, table.rows);
  if (result.open_loop() && response_time) {
    table.rows.push_back(time_row("Service time", result.rate->service_time));
  }
  if (facts.latency_table) {
    const std::pair<const char*, const Histogram*> phases[] = {
        {"First byte", &result.first_byte},
        {"Connect", &result.connect},
        {"TLS handshake", &result.tls_handshake}};
    for (const auto& [name, histogram] : phases) {
      if (!histogram->empty()) table.rows.push_back(time_row(name, *histogram));
    }
  }
  return report::render_table(table, facts.colour);
}

template <class Format>
std::vector<Cell> rate_row(const char* name, const Spread& spread, Format format) {
  std::vector<Cell> row{{name, Style::kName}};
  const auto rate = [&spread, &format](double count) {
    return Cell{spread.empty() ? "n/a" : format(spread.per_second(count))};
  };
  for (const double percent : {1.0, 2.5, 50.0, 97.5})
    row.push_back(rate(spread.percentile(percent)));
  row.push_back(rate(spread.mean()));
  row.push_back(rate(spread.stddev()));
  row.push_back(rate(spread.min()));
  row.push_back({base::format_thousands(spread.size())});
  return row;
}

const char* rate_name(const RunResult& result) {
  return result.websocket ? "Trips/Sec" : "Req/Sec";
}

std::string rate_table(const RunResult& result, bool colour) {
  const Spread answers = report::window_spread(result, Counted::kAnswers);
  const Spread bytes = report::window_spread(result, Counted::kBytesReceived);
  const Table table{{"Stat", "1%", "2.5%", "50%", "97.5%", "Avg", "Stdev", "Min", "n"},
                    {rate_row(rate_name(result), answers, rate_text),
                     rate_row("Bytes/Sec", bytes, base::format_bytes)}};
  return report::render_table(table, colour);
}

std::string status_table(const RunResult& result, bool colour) {
  Table table{{"Code", "Count"}, {}};
  for (size_t code = 0; code < result.by_status.size(); ++code) {
    if (result.by_status[code] == 0) continue;
    const Style style = code >= 400 ? Style::kAlarm : Style::kGood;
    table.rows.push_back(
        {{fmt::format("{}", code), style}, {base::format_thousands(result.by_status[code])}});
  }
  return report::render_table(table, colour);
}

std::string percentile_table(const RunResult& result, const ReportFacts& facts,
                             const LatencyBounds& bounds) {
  const Histogram& latency = main_latency(result, facts);
  const bool both = facts.uncorrected && result.open_loop();
  Table table{{"Percentile", "Latency", "95% from", "95% to"}, {}};
  if (both) table.heading.emplace_back(facts.service_time ? "Response time" : "Service time");
  const Histogram* other = nullptr;
  if (both) other = facts.service_time ? &result.latency : &result.rate->service_time;
  for (const NamedPercentile& p : kAutocannonPercentiles) {
    std::vector<Cell> row{{p.name, Style::kName}, {percentile_text(latency, p.percent)}};
    const auto interval = bounds.percentile(p.percent);
    const auto bound = [](int64_t ns) { return base::format_duration(static_cast<double>(ns)); };
    row.push_back({interval ? bound(interval->low) : kTooFew});
    row.push_back({interval ? bound(interval->high) : kTooFew});
    if (other != nullptr) row.push_back({percentile_text(*other, p.percent)});
    table.rows.push_back(std::move(row));
  }
  return report::render_table(table, facts.colour);
}

// What the figures of the tables are.
std::string table_notes(const RunResult& result, const ReportFacts& facts) {
  std::string out;
  if (result.open_loop()) {
    out += facts.service_time
               ? "latency is the service time (-C): it counts from the sending of a request\n"
               : "latency is the response time: it counts from the time a request was due\n";
  }
  const std::string width = base::format_span(result.sample_interval_ns);
  if (report::window_spread(result, Counted::kAnswers).cut) {
    return out + fmt::format("{} and Bytes/Sec over the whole run, shorter than a window of {}\n",
                             rate_name(result), width);
  }
  std::vector<double> per_second;
  for (const Window& window : result.series) {
    if (window.width_ns >= 1'000'000'000) {
      per_second.push_back(static_cast<double>(window.answered));
    }
  }
  return out +
         fmt::format("{0} and Bytes/Sec over windows of {1}; 95% interval of the mean {0}: {2}\n",
                     rate_name(result), width, report::rate_ci_text(per_second));
}

// A closed loop sends nothing while it waits, so the samples of a stall are missing. Said only
// where it shows: the waits beyond ten times p99 took the place of more requests, at the median
// pace, than the 1 % that lies beyond p99.
std::string stall_line(const RunResult& result) {
  if (result.open_loop()) return "";
  const Histogram& latency = result.latency;
  if (latency.empty()) return "";
  const int64_t calm = 10 * latency.percentile(99);
  double waited = 0;
  const int last = Histogram::bucket_index(latency.max());
  for (int i = Histogram::bucket_index(calm) + 1; i <= last; ++i) {
    waited +=
        static_cast<double>(latency.bucket(i)) * static_cast<double>(Histogram::bucket_low(i));
  }
  const auto median = std::max(static_cast<double>(latency.percentile(50)), 1.0);
  if (waited / median <= static_cast<double>(latency.count()) / 100) return "";
  return fmt::format(
      "closed loop: a connection sends nothing while it waits (up to {}), so the percentiles "
      "understate the stall\n",
      base::format_duration(static_cast<double>(latency.max())));
}

std::string tables(const RunResult& result, const ReportFacts& facts) {
  const LatencyBounds bounds(result, main_latency(result, facts));
  std::string out = time_table(result, facts, bounds);
  out += rate_table(result, facts.colour);
  out += stage_table(result, facts);
  if (facts.status_codes) out += status_table(result, facts.colour);
  if (facts.latency_table) out += percentile_table(result, facts, bounds);
  if (out.find(kTooFew) != std::string::npos) {
    out += fmt::format("{}: too few independent samples for a 95% interval\n", kTooFew);
  }
  out += table_notes(result, facts);
  out += lateness_lines(result);
  out += warmup_line(result);
  out += stall_line(result);
  return out + "\n";
}

}  // namespace

std::string plain_run_header(const ReportFacts& facts, bool warmup) {
  const auto plural = [](uint64_t n) { return n == 1 ? "" : "s"; };
  std::string out = "Running ";
  out += facts.amount ? fmt::format("{} {}{}", base::format_thousands(*facts.amount),
                                    unit_of(facts.websocket), plural(*facts.amount))
                      : base::format_span(std::llround(facts.duration_s * 1e9));
  out += fmt::format(" {} @ {}", warmup ? "warmup" : "test",
                     base::printable(fmt::format("{}", fmt::join(facts.urls, ","))));
  if (!facts.socket_path.empty()) out += fmt::format(" ({})", base::printable(facts.socket_path));
  out += fmt::format("\n{} connection{}", base::format_thousands(facts.connections),
                     plural(facts.connections));
  if (facts.changing_connections) out += " at most";
  if (facts.max_connections > facts.connections) {
    out += fmt::format(", up to {} on demand", base::format_thousands(facts.max_connections));
  }
  if (facts.pipelining > 1) out += fmt::format(" with {} pipelining factor", facts.pipelining);
  out += "\n";
  if (facts.workers > 0) out += fmt::format("{} worker{}\n", facts.workers, plural(facts.workers));
  return out + "\n";
}

std::string plain_text_report(const RunResult& result, const ReportFacts& facts) {
  std::string out = warning_line(result, facts.colour);
  if (facts.verbose) out += tables(result, facts);
  out += open_loop_line(result, facts) + account_lines(result) + verdict_lines(judge(result));
  return out + error_lines(result);
}

}  // namespace carronade::dialects
