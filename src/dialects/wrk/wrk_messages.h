// What wrk and wrk2 say on standard error, as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carronade/run_result.h"

namespace carronade::dialects::wrk {

// A message of Lua for a terminal: its line feeds and tabs as they are, since those of `require`
// have several lines; everything else as base::printable has it. No line feed at the end.
std::string script_message(std::string_view text);

// Whether a run by a schedule kept it, one line for each reason not to believe it: first a rate
// that was missed, and because of whom, then what else makes the figures wrong.
std::vector<std::string> wrk2_warnings(const RunResult& result);

}  // namespace carronade::dialects::wrk
