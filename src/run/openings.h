// The bytes of a plan that are not plain requests: for proxies and for WebSockets.
#pragma once

#include <string>

#include "carronade/expected.h"
#include "carronade/run_spec.h"
#include "load/load_plan.h"

namespace carronade::run {

Expected<load::Openings> make_openings(const RunSpec& spec, const Target& target);

// What a connection sends again and again: its first request, or its message in a frame.
Expected<std::string> write_block(const Target& target);

// Rewrites the requests to http targets when there is a proxy.
void ask_all_through_proxy(RunSpec& spec);

}  // namespace carronade::run
