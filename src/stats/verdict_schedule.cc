#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "stats/gap_distance.h"
#include "stats/verdict_rules.h"

namespace carronade::stats {

namespace {

using base::format_duration;
using base::format_thousands;

constexpr double kLatePercent = 99;
constexpr int64_t kLateInvalidNs = 1'000'000;
constexpr double kLateShareOfMedian = 0.10;
// What figures are good for where client and server share cores; less is not worth a word.
constexpr int64_t kLateFloorNs = 50'000;
// One request that is late is an accident, however few there are.
constexpr uint64_t kLateRequests = 2;

constexpr double kRateShare = 0.005;
constexpr uint64_t kRateRequests = 2;
// A request that waited so long for a connection is late because of it.
constexpr int64_t kWaitedNs = 1'000'000;

constexpr int64_t kGapToleranceNs = 50'000;
constexpr double kGapToleranceShare = 0.10;
// Of the gaps: with many requests a test sees differences that matter to nobody.
constexpr double kGapShare = 0.05;

bool late_beyond(const Histogram& late, int64_t limit_ns) {
  return late.percentile(kLatePercent) > limit_ns && count_above(late, limit_ns) >= kLateRequests;
}

void judge_lateness(const RunResult& result, Reasons& reasons) {
  const Histogram& late = result.rate->generator_late;
  if (late.empty()) return;
  const std::string p99 = format_duration(static_cast<double>(late.percentile(kLatePercent)));
  if (late_beyond(late, kLateInvalidNs)) {
    invalid(reasons, "generator_late",
            fmt::format("this program sent requests late, 1 % of them by {} or more (limit 1 ms): "
                        "give it a core of its own, more workers (-w) or a lower rate",
                        p99));
    return;
  }
  if (result.latency.empty()) return;
  const auto median = static_cast<double>(result.latency.percentile(50));
  const int64_t limit_ns =
      std::max(kLateFloorNs, static_cast<int64_t>(kLateShareOfMedian * median));
  if (!late_beyond(late, limit_ns)) return;
  suspect(reasons, "generator_late",
          fmt::format("this program sent requests late, 1 % of them by {} or more, beside a median "
                      "latency of {}: give it a core of its own, more workers (-w), or --pace spin",
                      p99, format_duration(median)));
}

void judge_rate(const RunResult& result, Reasons& reasons) {
  const RateResult& rate = *result.rate;
  if (rate.planned <= rate.sent_in_time) return;
  const uint64_t missing = rate.planned - rate.sent_in_time;
  const auto planned = static_cast<double>(rate.planned);
  const auto matters = [&](uint64_t requests) {
    return requests >= kRateRequests && static_cast<double>(requests) > kRateShare * planned;
  };
  if (!matters(missing)) return;
  // Those that no connection was free for, in the end or for a while.
  const uint64_t waited = rate.refused + rate.unsent + count_above(rate.no_connection, kWaitedNs);
  const uint64_t unexplained = missing - std::min(missing, waited);
  const std::string figures = fmt::format("{} of {} requests due ({}) were not sent in time",
                                          format_thousands(missing), format_thousands(rate.planned),
                                          percent_text(static_cast<double>(missing), planned));
  if (matters(unexplained)) {
    invalid(reasons, "rate_missed",
            fmt::format("{}, and not for want of a free connection: this program could not keep "
                        "the rate; use more workers (-w), more cores or a lower rate",
                        figures));
    return;
  }
  uint64_t not_made = 0;
  for (const ErrorCount& error : result.errors) {
    const bool making = error.phase == Phase::kResolve || error.phase == Phase::kConnect ||
                        error.phase == Phase::kTls || error.phase == Phase::kProxy ||
                        error.phase == Phase::kUpgrade;
    if (making) not_made += error.count;
  }
  if (not_made > 0) {
    suspect(
        reasons, "no_connection_free",
        fmt::format("{}: no connection was there for them, {} could not be made: see the errors",
                    figures, format_thousands(not_made)));
    return;
  }
  suspect(reasons, "no_connection_free",
          fmt::format("{}: the server kept all {} connections busy; raise -c or "
                      "--max-connections, or take this rate as more than it can serve",
                      figures, format_thousands(result.connections_peak)));
}

void judge_gaps(const RunResult& result, Reasons& reasons) {
  const RateResult& rate = *result.rate;
  if (rate.planned_gaps.empty()) return;
  const double mean = rate.planned_gaps.mean();
  const int64_t tolerance_ns =
      std::max(kGapToleranceNs, static_cast<int64_t>(kGapToleranceShare * mean));
  const GapDistance gaps = gap_distance(rate.planned_gaps, rate.sent_gaps, tolerance_ns);
  if (!gaps.failed() || gaps.distance <= kGapShare) return;
  suspect(reasons, "gaps_off",
          fmt::format("{} of the gaps between requests were off the plan by more than {} (mean gap "
                      "{}): requests left in clumps; give this program a core of its own",
                      percent_text(gaps.distance, 1),
                      format_duration(static_cast<double>(tolerance_ns)), format_duration(mean)));
}

}  // namespace

void judge_schedule(const RunResult& result, Reasons& reasons) {
  if (!result.rate) return;
  judge_lateness(result, reasons);
  judge_rate(result, reasons);
  judge_gaps(result, reasons);
}

}  // namespace carronade::stats
