// The part of a run that every command line shares: from a RunSpec to what it found.
#pragma once

#include <functional>
#include <string>

#include "carronade/expected.h"
#include "carronade/observer.h"
#include "carronade/run.h"
#include "carronade/run_result.h"
#include "carronade/run_spec.h"
#include "cli/run_observer.h"
#include "cli/stop_signals.h"

namespace carronade::cli {

// Runs `spec` on threads until a limit or the first signal ends it. `ready` sees the run that is
// set up and not started: its warnings, and how many requests it expects to make. The error is
// that of Run::create.
Expected<RunResult> run_to_end(RunSpec spec, RunObserver& observer, StopSignals& signals,
                               const std::function<void(Run&)>& ready);

// The same for whoever listens. `ready` may keep the Run, to call stop(): it lives until this
// returns.
Expected<RunResult> run_to_end(RunSpec spec, Observer& observer, StopSignals& signals,
                               const std::function<void(Run&)>& ready);

}  // namespace carronade::cli
