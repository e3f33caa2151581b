// The workers' findings as one RunResult.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "carronade/run_result.h"
#include "load/run_signals.h"
#include "load/worker.h"
#include "run/plan.h"

namespace carronade::run {

// `workers` are done. With none (no name resolved, or stopped before the start) the result is
// an empty run that still has its errors. `end_ns` matters only then.
RunResult merge_workers(const Plan& plan, const load::RunSignals& signals,
                        const std::vector<std::unique_ptr<load::Worker>>& workers, int64_t start_ns,
                        int64_t end_ns);

}  // namespace carronade::run
