#include "cli/cli_run.h"

#include <memory>
#include <utility>

namespace carronade::cli {

Expected<RunResult> run_to_end(RunSpec spec, RunObserver& observer, StopSignals& signals,
                               const std::function<void(const Run&)>& ready) {
  Expected<std::unique_ptr<Run>> created = Run::create(std::move(spec), &observer);
  if (!created) return unexpected(created.error());
  Run& run = **created;
  ready(run);
  const StopSignals::Watch watch(signals, [&run] { run.stop(); });
  RunResult result = run.execute();
  observer.finish();
  return result;
}

}  // namespace carronade::cli
