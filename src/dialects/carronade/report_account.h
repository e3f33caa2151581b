// The account at the end of the plain report: where every request went, by status, and what
// went wrong on which side. Each function gives whole lines or "".
#pragma once

#include <string>

#include "carronade/run_result.h"

namespace carronade::dialects {

// The first line of the report when the figures below it are not those of good answers: no
// answer at all, or most of them not 2xx.
std::string warning_line(const RunResult& result, bool colour);

// sent = answered + failed + timed out + in flight, answers by class, time and bytes, what
// ended the run, and the connections when fewer were open than asked for.
std::string account_lines(const RunResult& result);

// Errors with counts; those of this machine under a heading of their own.
std::string error_lines(const RunResult& result);

}  // namespace carronade::dialects
