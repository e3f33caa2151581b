// Limits that more than one layer has to know.
#pragma once

#include <cstdint>

namespace carronade::base {

inline constexpr uint32_t kMostConnections = 1'000'000;
inline constexpr double kMostPerSecond =
    10'000'000;  // what a core can schedule, and more than sent
inline constexpr uint32_t kMostBurst = 1'000'000;
// The longest time, far from where adding to the clock overflows: 100 years.
inline constexpr int64_t kLongestNs = int64_t{100} * 365 * 24 * 3'600'000'000'000;

}  // namespace carronade::base
