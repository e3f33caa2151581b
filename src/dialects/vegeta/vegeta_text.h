// How Go writes and reads strings, numbers and times in JSON: the words of vegeta's files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace carronade::dialects::vegeta {

// In double quotes. Control characters, quotes, backslashes, <, > and & are escaped, bytes that
// are no UTF-8 become U+FFFD.
void append_json_string(std::string_view text, std::string& out);

// The shortest text that reads back as the same number; 1e21 and more, and less than 1e-6, with an
// exponent. What is no number becomes 0.
void append_json_number(double number, std::string& out);

// RFC 3339 with as many digits of the nanoseconds as there are: "2024-01-31T10:00:00.25+01:00".
// `zone_minutes` as in Result.
void append_time(int64_t unix_ns, int zone_minutes, std::string& out);

struct ZonedTime {
  int64_t unix_ns = 0;
  int16_t zone_minutes = -1;
};
// RFC 3339; nothing for other texts and for years that do not fit (1678 … 2261).
std::optional<ZonedTime> parse_time(std::string_view text);

// RFC 4648 with padding, line breaks passed over as Go does. False, and `out` is not to be used,
// when it is none.
bool decode_base64(std::string_view text, std::string& out);

// A whole decimal number that fits, with nothing around it.
template <class Int>
std::optional<Int> parse_whole(std::string_view text);

// a - b, or the end of the range on the side where that lies.
int64_t saturated_difference(int64_t a, int64_t b);

// For this machine's zone, as seen at that moment; -1 for UTC.
int16_t local_zone_minutes(int64_t unix_ns);

}  // namespace carronade::dialects::vegeta
