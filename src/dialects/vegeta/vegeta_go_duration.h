// Times in Go's words: "1m30s", "90.438ms", "12.3µs".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade::dialects::vegeta {

// Digits, a fraction and a unit (ns us µs ms s m h), several of them in a row, a sign before all;
// a bare "0" needs no unit. Errors in Go's words: `time: invalid duration "x"`.
Expected<int64_t> parse_go_duration(std::string_view text);

// Exact, as Go prints a duration: "0s", "1.5s", "1h0m0.25s".
std::string go_duration(int64_t ns);

// As vegeta's report prints one: rounded half up to the next smaller unit (from an hour on to
// minutes, from a minute on to seconds, … from 1 µs on to ns), then as above.
std::string rounded_go_duration(int64_t ns);

}  // namespace carronade::dialects::vegeta
