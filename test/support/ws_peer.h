// The server's side of a WebSocket in the script of a ScriptedPeer: short frames, read and written
// one by one, so that a test can break any rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/digest.h"
#include "base/text.h"
#include "scripted_peer.h"

namespace carronade::test {

inline constexpr int kTextFrame = 1;
inline constexpr int kBinaryFrame = 2;
inline constexpr int kCloseFrame = 8;
inline constexpr int kPingFrame = 9;
inline constexpr int kPongFrame = 10;

struct WsFrame {
  int opcode = 0;
  bool masked = false;
  std::string payload;
};

// Of up to 125 bytes, whole, not masked.
inline std::string ws_frame(int opcode, const std::string& payload) {
  return std::string{static_cast<char>(0x80 | opcode), static_cast<char>(payload.size())} + payload;
}

inline std::string ws_close_frame(uint16_t code) {
  return ws_frame(kCloseFrame, {static_cast<char>(code >> 8), static_cast<char>(code & 255)});
}

// Nothing when the client closed.
inline std::optional<WsFrame> read_ws_frame(ScriptedPeer::Talk& talk) {
  const std::string head = talk.read_bytes(2);
  if (head.empty()) return std::nullopt;
  WsFrame frame{head[0] & 15, (head[1] & 0x80) != 0, {}};
  const std::string mask = frame.masked ? talk.read_bytes(4) : std::string(4, '\0');
  if (const size_t size = head[1] & 127; size > 0) frame.payload = talk.read_bytes(size);
  for (size_t i = 0; i < frame.payload.size(); ++i) frame.payload[i] ^= mask[i % 4];
  return frame;
}

// Sends messages back until the client closes; answers its close frame.
inline void echo_ws(ScriptedPeer::Talk& talk) {
  while (const auto frame = read_ws_frame(talk)) {
    if (frame->opcode == kPongFrame) continue;
    talk.send(ws_frame(frame->opcode, frame->payload));
    if (frame->opcode == kCloseFrame) return;
  }
}

// The answer to a handshake, with `behind` in the same segment.
inline std::string ws_accept(const std::string& request, const std::string& behind = "") {
  const std::string field = "Sec-WebSocket-Key: ";
  const size_t begin = request.find(field) + field.size();
  const std::string key = request.substr(begin, request.find("\r\n", begin) - begin);
  const std::string proof = base::sha1(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
  return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Accept: " +
         base::base64(proof) + "\r\n\r\n" + behind;
}

}  // namespace carronade::test
