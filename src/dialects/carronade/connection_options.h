// What the options say about the way to the server and what is spoken there: a proxy, WebSockets.
#pragma once

#include <vector>

#include "carronade/run_spec.h"
#include "dialects/carronade/carronade_flags.h"
#include "dialects/carronade/carronade_request.h"
#include "dialects/carronade/spec_error.h"

namespace carronade::dialects {

// Of --proxy.
SpecResult set_proxy(const Options& options, RunSpec& spec);

// Refuses what makes no sense with ws:// and wss:// targets, and --binary without them. Marks the
// messages of such targets as binary ones when the options say so. After make_targets.
SpecResult set_websocket(const Options& options, std::vector<Target>& targets);

}  // namespace carronade::dialects
