// Which errors have ended a request. The same rule as in node/lib/loadtest/lost_requests.js.
#pragma once

#include <cstdint>

#include "carronade/request_source.h"
#include "carronade/run_result.h"

namespace carronade::dialects::loadtest {

// Requests that errors ended: those that were sent, and one for each connection that could not be
// made. A server that sends more than it was asked for, or does not read to the end what it has
// answered, breaks a connection and no request.
uint64_t lost_requests(const RunResult& result);
uint32_t lost_requests(const Loss& loss);

}  // namespace carronade::dialects::loadtest
