// The latency of a run with how sure each of its percentiles is: carronade.latency.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "carronade/run_result.h"

namespace carronade::report {

// histogram_json and n, designEffect, interval95: the last two by percentile (p50, p90, p99,
// p99_9, p99_99), null where there are too few samples.
nlohmann::ordered_json latency_json(const RunResult& result);

}  // namespace carronade::report
