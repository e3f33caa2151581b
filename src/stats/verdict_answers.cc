#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/units.h"
#include "stats/steadiness.h"
#include "stats/verdict_rules.h"

namespace carronade::stats {

namespace {

using base::format_thousands;

constexpr uint64_t kFewestForP99 = 368;            // 0.99^n ≤ 2.5 %
constexpr int64_t kSteadyFromNs = 10'000'000'000;  // a shorter run shows no drift
// Of the median: a test sees drifts over many windows that matter to nobody.
constexpr double kDriftShare = 0.10;

std::string nothing_text(const RunResult& result) {
  if (result.sent > 0) {
    return fmt::format("none of {} {} was answered: see the errors", format_thousands(result.sent),
                       result.websocket ? "messages" : "requests");
  }
  const bool refused = result.websocket && result.websocket->handshakes_tried > 0 &&
                       result.websocket->handshakes_opened == 0;
  return refused ? "no WebSocket was opened: see the errors, and check path and headers"
                 : "no request was sent: see the errors, and check address and port";
}

void judge_samples(const RunResult& result, Reasons& reasons) {
  if (result.sent == 0 || result.answered == 0) {
    invalid(reasons, "nothing_measured", nothing_text(result));
    return;
  }
  const uint64_t lost = result.failed + result.timed_out;
  if (lost > result.answered || 2 * result.non_2xx() > result.answered) {
    suspect(reasons, "errors_mostly",
            lost > result.answered
                ? fmt::format("more requests failed ({}) than were answered ({}): see the errors",
                              format_thousands(lost), format_thousands(result.answered))
                : fmt::format("{} of {} answers ({}) were not 2xx: check the URL, the method and "
                              "the headers; these figures are mostly of error pages",
                              format_thousands(result.non_2xx()), format_thousands(result.answered),
                              percent_text(static_cast<double>(result.non_2xx()),
                                           static_cast<double>(result.answered))));
  }
  if (result.latency.count() < kFewestForP99) {
    suspect(reasons, "too_few_samples",
            fmt::format("{} answers are too few for a bound on the p99, which takes {}: run longer "
                        "(-d) or send more (-a)",
                        format_thousands(result.latency.count()), format_thousands(kFewestForP99)));
  }
}

void judge_connections(const RunResult& result, Reasons& reasons) {
  // An open loop makes all of them before its schedule begins.
  if (result.connections_peak >= result.connections_asked) return;
  suspect(reasons, "connections_short",
          fmt::format("{} of {} connections were open at once: see the errors, or run longer; the "
                      "load was lighter than asked for",
                      format_thousands(result.connections_peak),
                      format_thousands(result.connections_asked)));
}

struct Courses {
  std::vector<double> load;    // what the run was asked to do: planned or connections
  std::vector<double> effect;  // what came of it: rate of a closed loop, p50 of an open one
};

// Whole windows while there was load. The rate of an open loop is asked for, not found.
Courses courses_of(const RunResult& result) {
  Courses courses;
  int64_t full_ns = 0;
  for (const Window& window : result.series) full_ns = std::max(full_ns, window.width_ns);
  const int64_t end_ns = result.rate ? result.rate->load_ns : INT64_MAX;
  const int64_t from_ns = result.warmup ? result.warmup->width_ns : 0;
  for (const Window& window : result.series) {
    if (window.start_ns < from_ns) continue;
    if (window.width_ns < full_ns || window.start_ns > end_ns - window.width_ns) continue;
    if (!result.rate) {
      courses.load.push_back(static_cast<double>(window.connections));
      courses.effect.push_back(static_cast<double>(window.answered));
    } else if (window.p50_ns >= 0) {
      courses.load.push_back(static_cast<double>(window.planned));
      courses.effect.push_back(static_cast<double>(window.p50_ns));
    }
  }
  return courses;
}

// From the 10th to the 90th of 100 values, as a share of the median.
double spread_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return at(0.5) > 0 ? (at(0.9) - at(0.1)) / at(0.5) : 0;
}

void judge_steadiness(const RunResult& result, Reasons& reasons) {
  if (result.elapsed_ns < kSteadyFromNs) return;
  if (result.rate && result.rate->stages.size() > 1) return;
  const Courses courses = courses_of(result);
  // A load that changes by plan changes the rest with it.
  const Steadiness load = steadiness(courses.load);
  if ((load.trend || load.wanders) && spread_of(courses.load) > kDriftShare) return;
  const Steadiness found = steadiness(courses.effect);
  const std::string_view what = result.open_loop() ? "median latency" : "request rate";
  constexpr std::string_view kRemedy =
      "find the warm-up (--warmup auto), run longer, or look for what else the machines do";
  const double spread = spread_of(courses.effect);
  if (found.trend && std::abs(found.change) > kDriftShare) {
    suspect(reasons, "not_steady",
            fmt::format("the {} {} by {:.0f} % over the run: {}", what,
                        found.change > 0 ? "rose" : "fell", 100 * std::abs(found.change), kRemedy));
  } else if (found.wanders && spread > kDriftShare) {
    suspect(reasons, "not_steady",
            fmt::format("the {} wandered over a range of {:.0f} % of its median: {}", what,
                        100 * spread, kRemedy));
  }
}

}  // namespace

void judge_answers(const RunResult& result, Reasons& reasons) {
  judge_samples(result, reasons);
  judge_connections(result, reasons);
  judge_steadiness(result, reasons);
}

}  // namespace carronade::stats
