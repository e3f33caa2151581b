// The rules behind judge() in groups; each adds the reasons that it finds.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "carronade/verdict.h"

namespace carronade::stats {

using Reasons = std::vector<VerdictReason>;

void judge_schedule(const RunResult& result, Reasons& reasons);  // open loop: was it kept?
void judge_workers(const RunResult& result, Reasons& reasons);   // this program's threads
void judge_machine(const RunResult& result, Reasons& reasons);   // the machine beside them
void judge_answers(const RunResult& result, Reasons& reasons);   // what came back

inline void suspect(Reasons& reasons, std::string code, std::string text) {
  reasons.push_back({VerdictState::kSuspect, std::move(code), std::move(text)});
}
inline void invalid(Reasons& reasons, std::string code, std::string text) {
  reasons.push_back({VerdictState::kInvalid, std::move(code), std::move(text)});
}

// Values in buckets above the one of `limit`.
uint64_t count_above(const Histogram& histogram, int64_t limit);
// "97.5 %"; 0 when `whole` is 0.
std::string percent_text(double part, double whole);

// A thread that ran for less is not judged: what it does to start and to end is no sign of
// anything.
inline constexpr int64_t kShortestWallNs = 100'000'000;

}  // namespace carronade::stats
