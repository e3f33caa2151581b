// What a run noticed about this program and this machine, as JSON: carronade.health.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "carronade/run_result.h"

namespace carronade::report {

// {workers: […], host: {…}}; what the system did not tell is null.
nlohmann::ordered_json health_json(const RunResult& result);

}  // namespace carronade::report
