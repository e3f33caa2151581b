// loadtest's line every five seconds, as the run goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "carronade/observer.h"
#include "dialects/loadtest/loadtest_tally.h"

namespace carronade::dialects::loadtest {

inline constexpr int64_t kProgressIntervalNs = 5'000'000'000;

class LoadtestProgress : public Observer {
 public:
  // `tallies`, one a worker, outlive it; none: it is silent.
  LoadtestProgress(const std::vector<LoadtestTally>& tallies, std::optional<uint64_t> max_requests)
      : tallies_(tallies), max_requests_(max_requests) {}

  void on_progress(const Progress& progress) override;

 private:
  const std::vector<LoadtestTally>& tallies_;
  const std::optional<uint64_t> max_requests_;
  LoadtestCounts last_;
  int64_t last_ns_ = 0;
  int64_t next_ns_ = kProgressIntervalNs;
};

}  // namespace carronade::dialects::loadtest
