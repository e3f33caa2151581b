// Compressed bodies as plain ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade::base {

// A gzip stream (RFC 1952), several members in a row too, or a zlib stream (RFC 1950, HTTP's
// "deflate"), as plain bytes, in place of what `out` held. At most `most` of them are kept.
// Returns how many there are in all; with kLeft it looks no further than those kept. The error says
// what is wrong; `out` has what was good then. More than kMostInflated in all is one: a few bytes
// of a hostile server may stand for any number.
inline constexpr uint64_t kMostInflated = uint64_t{256} << 20;
enum class BeyondMost : uint8_t { kCounted, kLeft };
Expected<uint64_t> inflate(std::string_view bytes, std::string& out, size_t most = SIZE_MAX,
                           BeyondMost beyond = BeyondMost::kCounted);

}  // namespace carronade::base
