// Numbers as wrk reads and writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace carronade::dialects::wrk {

// "12", "1k", "2M": digits and one of k M G T P (powers of 1000) in any case.
std::optional<uint64_t> read_number(std::string_view text);
// "12", "90s", "2m", "1h", in any case: seconds.
std::optional<uint64_t> read_seconds(std::string_view text);

// Numbers with a unit, two decimals unless told otherwise. A value moves up a unit when it reaches
// 85 % of the next one. `width` counts up to the end of a unit of two letters, and a shorter unit
// is filled up with blanks; 0: neither.
std::string time_text(double us, int width = 0);      // us ms s m
std::string whole_seconds_text(uint64_t seconds);     // s m, no decimals
std::string count_text(double count, int width = 0);  // "" k M G T
std::string bytes_text(double bytes, int width = 0);  // "" K M G T, of 1024

}  // namespace carronade::dialects::wrk
