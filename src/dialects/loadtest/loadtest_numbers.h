// Numbers as JavaScript writes and reads them, and times as loadtest's report has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace carronade::dialects::loadtest {

// The shortest text that gives the same number: "10", "0.354". Never an exponent below 1e21.
std::string plain_number(double number);

// A finite decimal number, spaces around it allowed; nothing for anything else.
std::optional<double> read_number(std::string_view text);

// Rounded half up to so many digits behind the point, zeros at the end left out: "7.7", "7".
std::string rounded_number(double number, int digits);

// Milliseconds with a digit behind the point from 10 ms on, two from 1 ms on and three below, so
// that no time of a microsecond or more reads as 0.
std::string latency_text(int64_t ns);
// The same for a mean, which has one digit from 1 ms on.
std::string mean_text(double ns);

}  // namespace carronade::dialects::loadtest
