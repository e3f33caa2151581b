// A histogram as few bytes: most of the 33,421 buckets of one second are empty. The result is
// the same on every machine.
//
//   varint count; when it is not 0: varints min, max, sum, sum of squares (128 bits the last
//   two), then for each used bucket: varint of the empty ones before it, varint of its count.
//
// stats/varint.h says what a varint is.
#pragma once

#include <string>
#include <string_view>

#include "carronade/histogram.h"

namespace carronade::stats {

std::string encode_histogram(const Histogram& histogram);

// Adds the encoded histogram to `into`. False, and `into` untouched, when the bytes are no
// whole encoded histogram or contradict themselves. The empty string is an empty histogram.
[[nodiscard]] bool decode_histogram(std::string_view bytes, Histogram& into);

}  // namespace carronade::stats
