// Whole numbers as few bytes: 7 bits a byte, the lowest first; the top bit says that more
// follow.
#pragma once

#include <cstdint>
#include <string_view>

#include "carronade/histogram.h"

namespace carronade::stats {

// Most bytes of one number of 64 bits, and of 128.
inline constexpr int kVarintBytes = 10;
inline constexpr int kWideVarintBytes = 19;

// Writes an unsigned number and returns the end of it.
template <class Number>
char* put_varint(char* out, Number value) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<char>(static_cast<uint8_t>(value) | 0x80);
  *out++ = static_cast<char>(value);
  return out;
}

// Takes numbers from the front; after one that is cut or too large, `ok` is false for good.
struct VarintReader {
  std::string_view rest;
  bool ok = true;

  // Of at most `bits` bits.
  Histogram::Wide take(int bits) {
    Histogram::Wide value = 0;
    for (int shift = 0; ok && shift < bits && !rest.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(rest.front());
      rest.remove_prefix(1);
      const Histogram::Wide part = byte & 0x7f;
      if (shift + 7 > bits && part >> (bits - shift) != 0) break;
      value |= part << shift;
      if (byte < 0x80) return value;
    }
    ok = false;
    return 0;
  }
  uint64_t number() { return static_cast<uint64_t>(take(64)); }
  int64_t positive() { return static_cast<int64_t>(take(63)); }
};

}  // namespace carronade::stats
