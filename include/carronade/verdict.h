// Whether a run can be believed, drawn from its result alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/run_result.h"

namespace carronade {

enum class VerdictState : uint8_t {
  kValid,    // nothing found that speaks against the figures
  kSuspect,  // they may be off, or need a longer or calmer run
  kInvalid,  // they do not show what was asked for
};
std::string_view verdict_name(VerdictState state);  // "valid", "suspect", "invalid"

struct VerdictReason {
  VerdictState weight = VerdictState::kSuspect;  // kSuspect or kInvalid
  std::string code;  // stable, for programs: "generator_late", "rate_missed", …
  std::string text;  // one line with the figures and what to do
};

struct Verdict {
  VerdictState state = VerdictState::kValid;  // the heaviest of the reasons
  std::vector<VerdictReason> reasons;         // heaviest first
};

// Pure: the same result gives the same verdict. The rules and their thresholds are listed in
// docs/measuring.md.
Verdict judge(const RunResult& result);

}  // namespace carronade
