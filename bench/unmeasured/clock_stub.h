// Stands in for base/clock.h in the variant of closed_loop that measures nothing: the time never
// passes. So far ahead that no timer set by it fires.
#pragma once

#include <cstdint>

namespace carronade::base {

inline int64_t now_ns() { return int64_t{1} << 62; }
inline int64_t unix_now_ns() { return now_ns(); }

}  // namespace carronade::base
