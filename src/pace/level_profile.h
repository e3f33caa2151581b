// How many connections a closed loop keeps busy over time. Pure arithmetic: no clock, no I/O.
// Immutable: any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "carronade/rate_spec.h"

namespace carronade::pace {

class LevelProfile {
 public:
  // Linear within a stage, rounded to the nearest number; at a border the later stage counts.
  explicit LevelProfile(std::vector<ConnectionStage> stages);

  int64_t end_ns() const;
  uint32_t level_at(int64_t time_ns) const;  // that of the end behind the end
  // The first time after `time_ns` at which the level differs from level_at(time_ns);
  // INT64_MAX when it never does.
  int64_t next_change_ns(int64_t time_ns) const;

 private:
  std::vector<ConnectionStage> stages_;
};

}  // namespace carronade::pace
