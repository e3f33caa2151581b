// Numbers as siege's options and configuration keys write them. Where siege reads as far as it can
// and goes on with what it got, these say what is wrong.
#pragma once

#include <cstdint>
#include <string_view>

#include "carronade/expected.h"
#include "dialects/siege/siege_settings.h"

namespace carronade::dialects::siege {

Expected<int64_t> parse_number(std::string_view text);  // "25", "-1"
Expected<double> parse_seconds(std::string_view text);  // "0.5", "3", ".5"; ≥ 0, at most a year
Expected<int64_t> parse_time(std::string_view text);    // "10S", "5m", "1h"; "5": minutes; ns
// "100" or "once"
Expected<void> parse_reps(std::string_view text, SiegeSettings& settings);

}  // namespace carronade::dialects::siege
