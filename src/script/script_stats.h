// The objects `latency` and `requests` that done() gets.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

struct lua_State;

namespace carronade::script {

struct ScriptStats {
  double min = 0;
  double max = 0;
  double mean = 0;
  double stdev = 0;
  std::vector<std::pair<uint64_t, uint64_t>> values{};  // value and how often, ascending
  // wrk's rank: round(p / 100 · count + 0.5), one too high for the median of an even count.
  bool rank_above = false;

  uint64_t count() const;
  // Nearest rank, ceil(p / 100 · count); 0 when empty. `percent` is taken as within 0 … 100.
  uint64_t percentile(double percent) const;
};

// Pushes an object with the fields min, max, mean and stdev, the method percentile(p), `#` for how
// many different values there are, and a call with i (from 1) for the i-th of them and its count.
// `stats` must stay where it is while a script may use the object.
void push_stats(lua_State* state, const ScriptStats& stats);

}  // namespace carronade::script
