// For tests and benchmarks: frames as a WebSocket client would send them, and as a bad one would.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace carronade::server {

struct TestFrame {
  int opcode = 0x1;
  std::string_view payload = "";
  bool final = true;
  int reserved = 0;  // the three bits, 0 … 7
  bool masked = true;
  int length_bytes = -1;     // 0, 2 or 8; -1: as few as it takes
  uint64_t more_length = 0;  // announced beyond the payload that is there
};

inline std::string frame(const TestFrame& f) {
  constexpr std::string_view kMask = "\x37\xfa\x21\x3d";
  const uint64_t length = f.payload.size() + f.more_length;
  int length_bytes = f.length_bytes;
  if (length_bytes < 0) length_bytes = length < 126 ? 0 : length < 0x10000 ? 2 : 8;
  std::string bytes;
  bytes += static_cast<char>((f.final ? 0x80 : 0) | f.reserved << 4 | f.opcode);
  const int short_length = length_bytes == 0   ? static_cast<int>(length)
                           : length_bytes == 2 ? 126
                                               : 127;
  bytes += static_cast<char>((f.masked ? 0x80 : 0) | short_length);
  for (int shift = 8 * (length_bytes - 1); shift >= 0; shift -= 8) {
    bytes += static_cast<char>(length >> shift);
  }
  if (f.masked) bytes += kMask;
  for (size_t i = 0; i < f.payload.size(); ++i) {
    bytes += static_cast<char>(f.payload[i] ^ (f.masked ? kMask[i % 4] : 0));
  }
  return bytes;
}

inline std::string text_frame(std::string_view text) { return frame({.payload = text}); }

// A close frame's payload.
inline std::string close_payload(int code, std::string_view reason = "") {
  return std::string{static_cast<char>(code >> 8), static_cast<char>(code)}.append(reason);
}

inline constexpr std::string_view kUpgradeLines =
    "Host: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

}  // namespace carronade::server
