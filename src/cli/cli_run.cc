#include "cli/cli_run.h"

#include <memory>
#include <utility>

namespace carronade::cli {

Expected<RunResult> run_to_end(RunSpec spec, Observer& observer, StopSignals& signals,
                               const std::function<void(Run&)>& ready) {
  Expected<std::unique_ptr<Run>> created = Run::create(std::move(spec), &observer);
  if (!created) return unexpected(created.error());
  Run& run = **created;
  ready(run);
  const StopSignals::Watch watch(signals, [&run] { run.stop(); });
  return run.execute();
}

Expected<RunResult> run_to_end(RunSpec spec, RunObserver& observer, StopSignals& signals,
                               const std::function<void(Run&)>& ready) {
  Expected<RunResult> result =
      run_to_end(std::move(spec), static_cast<Observer&>(observer), signals, ready);
  if (result) observer.finish();
  return result;
}

}  // namespace carronade::cli
