#include "dialects/loadtest/loadtest_progress.h"

#include "cli/output.h"
#include "dialects/loadtest/loadtest_report.h"

namespace carronade::dialects::loadtest {

void LoadtestProgress::on_progress(const Progress& progress) {
  if (tallies_.empty() || progress.elapsed_ns < next_ns_) return;
  LoadtestCounts now;
  for (const LoadtestTally& tally : tallies_) tally.add_to(now);
  // When standard output cannot be written the report at the end says so.
  (void)cli::write_stdout(
      loadtest_progress_text(now, last_, progress.elapsed_ns - last_ns_, max_requests_));
  last_ = now;
  last_ns_ = progress.elapsed_ns;
  while (next_ns_ <= progress.elapsed_ns) next_ns_ += kProgressIntervalNs;
}

}  // namespace carronade::dialects::loadtest
