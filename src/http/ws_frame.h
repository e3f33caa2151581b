// HOT. Frames as a WebSocket client sends them (RFC 6455 5.2): whole and masked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace carronade::http {

enum class WsOpcode : uint8_t {
  kContinuation = 0,
  kText = 1,
  kBinary = 2,
  kClose = 8,
  kPing = 9,
  kPong = 10,
};

// A control frame's payload has at most 125 bytes.
void append_ws_frame(std::string& out, WsOpcode opcode, std::string_view payload, uint32_t mask);

}  // namespace carronade::http
