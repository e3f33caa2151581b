// Totals cut into parts: floor for each, one more for the first `total mod parts`; nothing is
// dropped, so the parts add up to the total.
#pragma once

#include <cstdint>

namespace carronade::pace {

// The size of part `index` of `parts`.
constexpr uint64_t part_of(uint64_t total, uint64_t parts, uint64_t index) {
  return total / parts + (index < total % parts ? 1 : 0);
}
// The sum of the parts before `index`: where part `index` begins.
constexpr uint64_t parts_before(uint64_t total, uint64_t parts, uint64_t index) {
  const uint64_t remainder = total % parts;
  return (total / parts) * index + (index < remainder ? index : remainder);
}

}  // namespace carronade::pace
