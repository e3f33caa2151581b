// What a run on WebSockets found beside its round trips, as JSON: carronade.websocket.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "carronade/run_result.h"

namespace carronade::report {

// {handshakes: {…}, messages: {…}, pings, pongs, closes: {…}}; null when no target is ws or wss.
nlohmann::ordered_json websocket_json(const RunResult& result);

}  // namespace carronade::report
