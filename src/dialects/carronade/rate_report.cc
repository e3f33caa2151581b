#include "dialects/carronade/rate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "report/table.h"
#include "stats/quantile_ci.h"

namespace carronade::dialects {
namespace {

using base::format_thousands;
using report::Cell;
using report::Style;

// Longer ones get lines of their own.
constexpr size_t kVerdictColumns = 100;

std::string time_text(int64_t ns) { return base::format_duration(static_cast<double>(ns)); }

std::string percentile_text(const Histogram& histogram, double percent) {
  return histogram.empty() ? "n/a" : time_text(histogram.percentile(percent));
}

// Rounded down, so that only all of it is 100 %.
std::string share_text(uint64_t part, uint64_t whole) {
  if (whole == 0) return "n/a";
  if (part == whole) return "100 %";
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.4g} %", std::floor(percent * 100) / 100);
}

std::string late_line(const char* part, const Histogram& histogram) {
  std::string out = std::string(part) + ": ";
  if (histogram.empty()) {
    out += "n/a";
  } else if (histogram.max() == 0) {
    out += "never";
  } else {
    out += fmt::format("p50 {}, p99 {}, max {}", time_text(histogram.percentile(50)),
                       time_text(histogram.percentile(99)), time_text(histogram.max()));
  }
  return out + fmt::format(" (n = {})\n", format_thousands(histogram.count()));
}

std::string whole_number(double number) {
  return format_thousands(static_cast<uint64_t>(std::llround(std::max(number, 0.0))));
}

// The two rows below a stage. What was due in it ended in it, but for the last requests: the design
// effect is that of its own stretch of the run.
void add_stage_bounds(const RunResult& result, const StageResult& stage, const Histogram& shown,
                      std::vector<std::vector<Cell>>& rows) {
  if (stage.latency.empty()) return;
  std::vector<Interval> inside;
  for (const Interval& interval : result.intervals) {
    const int64_t at_ns = interval.start_ns - stage.start_ns;
    if (at_ns >= 0 && at_ns < stage.width_ns) inside.push_back(interval);
  }
  const stats::DesignEffect design_effect(inside);
  constexpr size_t kCounts = 5;  // planned … dropped
  std::vector<Cell> from(1 + kCounts);
  std::vector<Cell> to(1 + kCounts);
  from.front() = {"  95% from"};
  to.front() = {"  95% to"};
  for (const double percent : {50.0, 99.0}) {
    const double effect = design_effect.at(stage.latency.percentile(percent));
    const auto bounds = stats::quantile_interval(shown, percent, effect);
    from.push_back({bounds ? time_text(bounds->low) : kTooFew});
    to.push_back({bounds ? time_text(bounds->high) : kTooFew});
  }
  rows.push_back(std::move(from));
  rows.push_back(std::move(to));
}

}  // namespace

std::string stage_table(const RunResult& result, const ReportFacts& facts) {
  if (!result.open_loop() || result.rate->stages.size() < 2) return "";
  report::Table table{
      {"Stage", "Planned", "Sent", "Answered", "Failed", "Dropped", "50%", "99%", "Max", "n"}, {}};
  table.rules_between_rows = false;
  for (const StageResult& stage : result.rate->stages) {
    std::vector<Cell> row{{base::printable(stage.name), Style::kName}};
    for (const uint64_t count :
         {stage.planned, stage.sent, stage.answered, stage.failed, stage.dropped}) {
      row.push_back({format_thousands(count)});
    }
    const Histogram& latency = facts.service_time ? stage.service_time : stage.latency;
    row.push_back({percentile_text(latency, 50)});
    row.push_back({percentile_text(latency, 99)});
    row.push_back({percentile_text(latency, 100)});
    row.push_back({format_thousands(latency.count())});
    table.rows.push_back(std::move(row));
    add_stage_bounds(result, stage, latency, table.rows);
  }
  return report::render_table(table, facts.colour);
}

std::string lateness_lines(const RunResult& result) {
  if (!result.open_loop()) return "";
  return late_line("sent late by the generator", result.rate->generator_late) +
         late_line("sent late for want of a free connection", result.rate->no_connection);
}

std::string warmup_line(const RunResult& result) {
  if (!result.warmup) return "";
  const WarmupResult& warmup = *result.warmup;
  if (!warmup.settled) {
    return "warm-up: the run has not settled (MSER-5), so nothing is left out of its figures\n";
  }
  if (warmup.width_ns == 0) return "warm-up: none found (MSER-5)\n";
  return fmt::format(
      "warm-up: the first {}, with {} answer{}, left out of latency and rates (MSER-5)\n",
      time_text(warmup.width_ns), format_thousands(warmup.answered),
      warmup.answered == 1 ? "" : "s");
}

std::string open_loop_line(const RunResult& result, const ReportFacts& facts) {
  if (!result.open_loop()) return "";
  const RateResult& rate = *result.rate;
  const uint64_t sent = rate.planned - rate.refused - rate.unsent;
  return fmt::format(
      "open loop: planned {} {} {}, sent {} ({}), dropped {} ({} refused, {} never sent)\n",
      format_thousands(rate.planned), facts.load.starts_with('-') ? "by" : "at",
      base::printable(facts.load), format_thousands(sent), share_text(sent, rate.planned),
      format_thousands(rate.refused + rate.unsent), format_thousands(rate.refused),
      format_thousands(rate.unsent));
}

std::string verdict_lines(const Verdict& verdict) {
  std::string line = "verdict: " + std::string(verdict_name(verdict.state));
  std::string texts;
  for (const VerdictReason& reason : verdict.reasons) {
    texts += (texts.empty() ? "" : "; ") + base::printable(reason.text);
  }
  if (texts.empty()) return line + "\n";
  if (verdict.reasons.size() == 1 || line.size() + texts.size() + 2 <= kVerdictColumns) {
    return line + ": " + texts + "\n";
  }
  line += "\n";
  for (const VerdictReason& reason : verdict.reasons) {
    const bool lighter = reason.weight != verdict.state;
    line += fmt::format("  {}{}\n", lighter ? "suspect: " : "", base::printable(reason.text));
  }
  return line;
}

const Histogram& main_latency(const RunResult& result, const ReportFacts& facts) {
  return facts.service_time && result.open_loop() ? result.rate->service_time : result.latency;
}

std::string expecting_line(double requests, std::optional<int64_t> duration_ns,
                           const ReportFacts& facts) {
  const std::string count = whole_number(requests);
  std::string line = fmt::format("expecting {}{} {}{}", facts.random_arrivals ? "about " : "",
                                 count, unit_of(facts.websocket), count == "1" ? "" : "s");
  if (duration_ns) line += fmt::format(" in {:.6g} s", static_cast<double>(*duration_ns) / 1e9);
  return line + ": " + base::printable(facts.load) + ", " + facts.arrivals;
}

}  // namespace carronade::dialects
