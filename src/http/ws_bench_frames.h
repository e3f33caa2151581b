// What the benchmarks of WebSocket framing read: frames of a server, several times over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/ws_event_log.h"

namespace carronade::http {

inline constexpr uint8_t kTextFrame = 0x81;
inline constexpr uint8_t kBinaryFrame = 0x82;

// `count` unmasked frames of `size` bytes each, in which `text` is repeated.
inline std::string frames(uint8_t first, std::string_view text, int64_t size, int64_t count) {
  std::string payload;
  while (static_cast<int64_t>(payload.size()) < size) payload += text;
  payload.resize(static_cast<size_t>(size));
  std::string out;
  for (int64_t i = 0; i < count; ++i) out += server_frame(first, payload);
  return out;
}

}  // namespace carronade::http
