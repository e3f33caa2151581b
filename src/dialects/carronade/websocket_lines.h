// What a run on WebSockets found beside its round trips, for the plain report.
#pragma once

#include <string>

#include "carronade/run_result.h"

namespace carronade::dialects {

// Whole lines: handshakes tried, opened and failed; what came over the open connections. "" for a
// run on HTTP.
std::string websocket_lines(const RunResult& result);

}  // namespace carronade::dialects
