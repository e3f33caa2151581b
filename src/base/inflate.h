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
// Returns how many there are in all. The error says what is wrong; `out` has what was good then.
Expected<uint64_t> inflate(std::string_view bytes, std::string& out, size_t most = SIZE_MAX);

}  // namespace carronade::base
