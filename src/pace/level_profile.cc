#include "pace/level_profile.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/check.h"

namespace carronade::pace {

namespace {

// Products of a time and a number of connections.
__extension__ using Wide = __int128;

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// from + (to - from) · t / T, rounded to the nearest, halves up; t in [0, T).
uint32_t level_in(const ConnectionStage& stage, int64_t time_ns) {
  const Wide twice = Wide{2} * stage.duration_ns;
  const Wide swing = Wide{stage.to} - stage.from;
  // Over a common denominator all terms stay ≥ 0, so that the division rounds down.
  const Wide level = (twice * stage.from + 2 * swing * time_ns + stage.duration_ns) / twice;
  return static_cast<uint32_t>(level);
}

// The first time in the stage at which the level is beyond that of `time_ns`.
std::optional<int64_t> change_in(const ConnectionStage& stage, int64_t time_ns) {
  const Wide level = level_in(stage, time_ns);
  const Wide twice = Wide{2} * stage.duration_ns;
  Wide change = kNever;
  if (stage.to > stage.from) {
    const Wide rise = 2 * (Wide{stage.to} - stage.from);
    // Up to the half before the next number, which is rounded up.
    const Wide way = twice * (level + 1 - stage.from) - stage.duration_ns;
    change = (way + rise - 1) / rise;
  } else if (stage.to < stage.from) {
    const Wide fall = 2 * (Wide{stage.from} - stage.to);
    // Beyond the half before the number now, which is still rounded up to it.
    const Wide way = twice * (stage.from - level) + stage.duration_ns;
    change = way / fall + 1;
  }
  if (change >= stage.duration_ns) return std::nullopt;
  return static_cast<int64_t>(change);
}

int64_t sum_up_to_never(int64_t a, int64_t b) { return b > kNever - a ? kNever : a + b; }

}  // namespace

LevelProfile::LevelProfile(std::vector<ConnectionStage> stages) : stages_(std::move(stages)) {
  CHECK(!stages_.empty());
}

int64_t LevelProfile::end_ns() const {
  int64_t end_ns = 0;
  for (const ConnectionStage& stage : stages_) end_ns = sum_up_to_never(end_ns, stage.duration_ns);
  return end_ns;
}

uint32_t LevelProfile::level_at(int64_t time_ns) const {
  int64_t within_ns = std::max<int64_t>(time_ns, 0);
  for (const ConnectionStage& stage : stages_) {
    if (within_ns < stage.duration_ns) return level_in(stage, within_ns);
    within_ns -= stage.duration_ns;
  }
  return stages_.back().to;
}

int64_t LevelProfile::next_change_ns(int64_t time_ns) const {
  const uint32_t level = level_at(time_ns);
  int64_t start_ns = 0;
  for (const ConnectionStage& stage : stages_) {
    const int64_t end_ns = sum_up_to_never(start_ns, stage.duration_ns);
    if (time_ns < end_ns) {
      const int64_t within_ns = std::max<int64_t>(time_ns - start_ns, 0);
      if (start_ns > time_ns && level_in(stage, 0) != level) return start_ns;
      if (const auto change_ns = change_in(stage, within_ns)) return start_ns + *change_ns;
    }
    start_ns = end_ns;
  }
  return time_ns < start_ns && stages_.back().to != level ? start_ns : kNever;
}

}  // namespace carronade::pace
