// HOT. The test server's own reader of a WebSocket client's frames (RFC 6455 5), strict on purpose
// and independent of http/, so that a fault of the client's side cannot hide behind the same fault
// here. Bytes in, steps out:
//
//   for (;;) {
//     MessageStep step = reader.step(bytes);
//     bytes.remove_prefix(step.consumed);
//     if (step.kind == MessageStep::Kind::kNeedMore) break;   // keep `bytes`, read more behind it
//     …
//   }
//
// Refused: frames without a mask, reserved bits and opcodes, control frames that are long or in
// fragments, fragments out of place, lengths not in their shortest form, text that is no UTF-8,
// close codes that must not be sent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace carronade::server {

enum class Opcode : uint8_t {
  kContinuation = 0x0,
  kText = 0x1,
  kBinary = 0x2,
  kClose = 0x8,
  kPing = 0x9,
  kPong = 0xa
};

// RFC 6455 7.4.1.
inline constexpr uint16_t kCloseNormal = 1000;
inline constexpr uint16_t kCloseProtocolError = 1002;
inline constexpr uint16_t kCloseNotUtf8 = 1007;
inline constexpr uint16_t kCloseTooBig = 1009;

struct MessageStep {
  enum class Kind : uint8_t {
    kNeedMore,  // at most the beginning of a frame's header is left of the bytes
    kMessage,   // text or binary, all its fragments together
    kControl,   // close, ping or pong
    kError      // no further step()
  };
  Kind kind;
  size_t consumed = 0;
  Opcode opcode = Opcode::kText;
  std::string_view payload;  // unmasked; valid until the next step()
  uint16_t code = 0;         // kError: what to close with. A close frame's code, 0 when it has none
  const char* reason = "";   // kError: for the person who reads the close frame; 123 bytes at most
};

class MessageReader {
 public:
  static constexpr uint64_t kMessageBytesMax = 16 * 1024 * 1024;  // a longer one is an error, 1009

  MessageStep step(std::string_view bytes);

 private:
  static constexpr size_t kControlBytesMax = 125;
  static constexpr size_t kKeptBytes = 16 * 1024;  // of a message's memory, for the next one

  bool take_header(std::string_view bytes, size_t& consumed);
  bool check_first_bytes(uint8_t first, uint8_t second);
  bool take_length(std::string_view header, uint8_t second);
  void take_payload(std::string_view& bytes, size_t& consumed);
  MessageStep finish_message(size_t consumed);
  MessageStep finish_control(size_t consumed);
  bool refuse(uint16_t code, const char* reason);
  MessageStep failure(size_t consumed) const;
  bool is_control() const { return static_cast<uint8_t>(opcode_) >= 0x8; }

  // The frame at hand.
  bool in_frame_ = false;  // its header is read
  bool final_ = false;
  Opcode opcode_ = Opcode::kText;
  uint64_t left_ = 0;  // of its payload
  std::array<char, 4> mask_{};
  size_t mask_at_ = 0;  // of the next byte, modulo 4
  // The message that its fragments, or some of them, belong to.
  bool in_message_ = false;
  bool given_ = false;  // message_ was given out: to be cleared
  Opcode message_opcode_ = Opcode::kText;
  std::string message_;
  std::array<char, kControlBytesMax> control_{};
  size_t control_size_ = 0;
  uint16_t code_ = 0;  // of the refusal; 0: none
  const char* reason_ = "";
};

}  // namespace carronade::server
