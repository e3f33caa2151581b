// What the schedule of a run did, as JSON: the keys rate, lateness, stages and warmup of
// `carronade`. Each is null when the run had no such thing.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "carronade/run_result.h"

namespace carronade::report {

nlohmann::ordered_json rate_json(const RunResult& result);      // open loop
nlohmann::ordered_json lateness_json(const RunResult& result);  // open loop
nlohmann::ordered_json stages_json(const RunResult& result);    // a rate of several stages
nlohmann::ordered_json warmup_json(const RunResult& result);    // when one was looked for

}  // namespace carronade::report
