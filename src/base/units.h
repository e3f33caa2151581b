// Numbers with units, both ways. Times are ns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade::base {

// "250us" "20ms" "1.5s" "1m30s" "1h" "2 days" "2w"; a bare number is in `bare_unit_ns` units.
// Units: ns us µs ms s m h d w with the long forms (sec, seconds, min, minutes, hr, hours,
// days, weeks …) in any case, spaces allowed; several parts add up. The error quotes the text.
Expected<int64_t> parse_duration(std::string_view text, int64_t bare_unit_ns);

// "1000" "1k" "2.5M" "1e6": a whole number ≥ 0 after the factor (k 10³, M 10⁶, G 10⁹).
Expected<uint64_t> parse_count(std::string_view text);

// "4096" "64k" "1MiB" "2.5MB": k/KB = 1000, KiB = 1024, likewise M and G.
Expected<uint64_t> parse_bytes(std::string_view text);

// "200" "200/s" "0.5/s" "30/m" "7200/h" "1/10s" "1k": a number 0 … 1e7 a second (k, M and G as
// above) after the division by the time, a second when there is none. The error quotes the text.
Expected<double> parse_rate(std::string_view text);

// "812 ns" "64.1 µs" "1.52 ms" "12.4 s": unit by magnitude, 3 significant digits or all digits
// of an integer part; "0 ns" only for 0.
std::string format_duration(double ns);
// "1.5s" "10s" "1m30s" "250ms" for headings: exact, no spaces.
std::string format_span(int64_t ns);
// SI bytes, 3 significant digits, no trailing zeros: "0 B" "171 kB" "2.29 MB".
std::string format_bytes(double bytes);
// "20,623"
std::string format_thousands(uint64_t number);

}  // namespace carronade::base
