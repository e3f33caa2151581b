// From wrk's options to what the engine runs.
#pragma once

#include <string>
#include <vector>

#include "carronade/run_spec.h"
#include "dialects/wrk/wrk_flags.h"
#include "script/script.h"

namespace carronade::dialects::wrk {

// How many connections are really opened: with --quirks as many as divide by the threads.
uint32_t opened_connections(const WrkOptions& options);

// What the script is to be loaded with. `warnings` gets a line for each header that is not sent.
script::ScriptSettings script_settings(const WrkOptions& options, const script::ScriptSite& site,
                                       std::vector<std::string>& warnings);

// After Script::set_up. The script must outlive the run.
RunSpec wrk_spec(const WrkOptions& options, const script::ScriptSite& site, script::Script& script);

}  // namespace carronade::dialects::wrk
