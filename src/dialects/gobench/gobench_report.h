// gobench's report of a run.
#pragma once

#include <string>
#include <vector>

#include "carronade/run_result.h"

namespace carronade::dialects::gobench {

// The eight lines behind an empty one. An attempt to connect that failed is a request that failed,
// as gobench counts it; requests in flight when the time was over are in none of the figures.
// `quirks`: success is the status 200 alone, and rates are per whole second, of which there is at
// least one.
std::string gobench_report(const RunResult& result, bool quirks);

// A line for each of the most frequent errors; gobench counts them and says nothing.
std::vector<std::string> gobench_error_lines(const RunResult& result);

// How many requests were sent once more because the server had closed an idle connection, which the
// figures do not show; "" for none.
std::string gobench_retry_line(const RunResult& result);

}  // namespace carronade::dialects::gobench
