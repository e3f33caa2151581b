#include "carronade/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "stats/verdict_rules.h"

namespace carronade {

namespace stats {

uint64_t count_above(const Histogram& histogram, int64_t limit) {
  uint64_t count = 0;
  const int last = Histogram::bucket_index(histogram.max());
  for (int i = Histogram::bucket_index(limit) + 1; i <= last; ++i) count += histogram.bucket(i);
  return count;
}

std::string percent_text(double part, double whole) {
  const double percent = whole > 0 ? 100 * part / whole : 0;
  return percent < 1 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.1f} %", percent);
}

}  // namespace stats

std::string_view verdict_name(VerdictState state) {
  switch (state) {
    case VerdictState::kValid:
      return "valid";
    case VerdictState::kSuspect:
      return "suspect";
    case VerdictState::kInvalid:
      break;
  }
  return "invalid";
}

Verdict judge(const RunResult& result) {
  Verdict verdict;
  std::vector<VerdictReason>& reasons = verdict.reasons;
  stats::judge_answers(result, reasons);
  stats::judge_schedule(result, reasons);
  stats::judge_workers(result, reasons);
  stats::judge_machine(result, reasons);
  std::stable_sort(
      reasons.begin(), reasons.end(),
      [](const VerdictReason& a, const VerdictReason& b) { return a.weight > b.weight; });
  if (!reasons.empty()) verdict.state = reasons.front().weight;
  return verdict;
}

}  // namespace carronade
