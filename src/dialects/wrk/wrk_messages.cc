#include "dialects/wrk/wrk_messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "carronade/verdict.h"
#include "stats/verdict_rules.h"

namespace carronade::dialects::wrk {
namespace {

using base::format_thousands;

// A request that waited so long for a connection is late because of it.
constexpr int64_t kWaitedNs = 1'000'000;
constexpr double kLatePercent = 99;
constexpr std::string_view kOurselves =
    "this program could not keep the rate: use more threads (-t), more cores or a lower rate";

uint64_t connections_not_made(const RunResult& result) {
  uint64_t count = 0;
  for (const ErrorCount& error : result.errors) {
    const bool making = error.phase == Phase::kResolve || error.phase == Phase::kConnect ||
                        error.phase == Phase::kTls;
    if (making) count += error.count;
  }
  return count;
}

// Why requests found no connection.
std::string want_of_connections(const RunResult& result) {
  if (const uint64_t not_made = connections_not_made(result); not_made > 0) {
    return fmt::format("no connection was there for them, {} could not be made",
                       format_thousands(not_made));
  }
  return fmt::format(
      "the server kept all {} connections busy: it cannot serve this rate, or needs more "
      "connections (-c) for it",
      format_thousands(result.connections_peak));
}

std::string missed_rate(const RunResult& result, bool by_ourselves) {
  const RateResult& rate = *result.rate;
  const uint64_t missing = rate.planned - std::min(rate.planned, rate.sent_in_time);
  const uint64_t waited = std::min(
      missing, rate.refused + rate.unsent + stats::count_above(rate.no_connection, kWaitedNs));
  const std::string text = fmt::format(
      "{} of {} requests due ({}) were not sent in time", format_thousands(missing),
      format_thousands(rate.planned),
      stats::percent_text(static_cast<double>(missing), static_cast<double>(rate.planned)));
  if (!by_ourselves) return fmt::format("{}: {}", text, want_of_connections(result));
  if (waited == 0) return fmt::format("{}: {}", text, kOurselves);
  return fmt::format("{}: for {} of them {}; for the others {}", text, format_thousands(waited),
                     want_of_connections(result), kOurselves);
}

std::string late_sending(const RunResult& result) {
  const int64_t late_ns = result.rate->generator_late.percentile(kLatePercent);
  return fmt::format(
      "this program sent requests late, 1 % of them by {} or more: give it a core of its own, "
      "more threads (-t) or a lower rate",
      base::format_duration(static_cast<double>(late_ns)));
}

}  // namespace

std::string script_message(std::string_view text) {
  std::string out;
  while (true) {
    const size_t end = text.find_first_of("\n\t");
    out += base::printable(text.substr(0, end));
    if (end == std::string_view::npos) break;
    out += text[end];
    text.remove_prefix(end + 1);
  }
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

std::vector<std::string> wrk2_warnings(const RunResult& result) {
  std::vector<std::string> missed;
  std::vector<std::string> others;
  for (const VerdictReason& reason : judge(result).reasons) {
    const bool by_ourselves = reason.code == "rate_missed";
    if (by_ourselves || reason.code == "no_connection_free") {
      missed.push_back(missed_rate(result, by_ourselves));
    } else if (reason.weight == VerdictState::kInvalid) {
      others.push_back(reason.code == "generator_late" ? late_sending(result) : reason.text);
    }
  }
  missed.insert(missed.end(), others.begin(), others.end());
  return missed;
}

}  // namespace carronade::dialects::wrk
