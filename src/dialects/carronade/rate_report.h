// What the plain report says about the schedule of a run, its warm-up and whether it can be
// believed. Each function gives whole lines, or "" where there is nothing to say.
#pragma once

#include <string>

#include "carronade/run_result.h"
#include "carronade/verdict.h"
#include "dialects/carronade/carronade_report.h"

namespace carronade::dialects {

// Stands where there is no 95 % interval: too few independent samples.
inline constexpr const char* kTooFew = "–";

// Of an open loop with several stages: one row each.
std::string stage_table(const RunResult& result, const ReportFacts& facts);
// How late requests left, and by whose fault.
std::string lateness_lines(const RunResult& result);
// Where the warm-up ended that was looked for.
std::string warmup_line(const RunResult& result);
// "open loop: planned 2,000 at 200/s, sent 2,000 (100 %), dropped 0 (0 refused, 0 never sent)"
std::string open_loop_line(const RunResult& result, const ReportFacts& facts);
// "verdict: valid", or the state with its reasons.
std::string verdict_lines(const Verdict& verdict);

}  // namespace carronade::dialects
