// HOT. The receiving side of one WebSocket client connection (RFC 6455), without I/O: bytes in,
// messages out, in the same form as H1Session's responses. No extension is spoken. Allocates
// nothing but for the payloads of control frames: of text that is checked across reads the state
// of the check is kept, not the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/body_sink.h"
#include "http/response.h"
#include "http/ws_utf8.h"

namespace carronade::http {

class WsSession {
 public:
  // More than a TLS record holds, so that a frame that may be on its way is never taken back.
  static constexpr size_t kMostUnsent = 32 * 1024;

  // What was met since the counts were last taken; the owner adds them up and clears them.
  struct Counts {
    uint64_t text_messages = 0;
    uint64_t binary_messages = 0;
    uint64_t pings = 0;
    uint64_t pongs = 0;
  };

  // Consumes bytes until they are used up, `limit` messages are finished, the batch is full, a
  // close frame is found, or a fault (kMalformedFrame: a masked frame, a reserved bit or opcode,
  // a fragmented or long control frame, a frame out of place, text that is not UTF-8, a length
  // above 2^63 or in more bytes than it needs, a close code that may not be sent). Returns how
  // many were consumed; `out` is overwritten. With a limit of 0, after a close frame and after a
  // fault nothing is consumed. A finished message is an H1Response with status 0, wire_bytes (its
  // frames' headers included, and those of control frames before it) and body_bytes (payload).
  // `sink`, which may be null, gets the payload (on_body), and on_response_end. Pings are answered
  // into `control_out`: masked pongs of the same payload, whole frames, appended. The owner takes
  // what it sends from the front; when more than kMostUnsent bytes wait there, only the latest
  // ping is answered (RFC 6455 5.5.3).
  size_t feed(std::string_view bytes, uint32_t limit, BodySink* sink, std::string& control_out,
              H1Feed& out);

  // The code of a close frame that was found (1005: it had none); the answer to it, with the same
  // code, has been appended to control_out. Nothing behind it is consumed.
  std::optional<uint16_t> closed() const { return close_code_; }

  // The code of the close frame that a fault is told with (RFC 6455 7.4.1).
  uint16_t fault_code() const { return fault_code_; }

  bool mid_message() const;             // a data frame has begun and the message is not finished
  uint64_t partial_wire_bytes() const;  // received of what is unfinished
  const Counts& counts() const { return counts_; }
  void clear_counts() { counts_ = {}; }
  void reset();  // a new connection; counts are kept

 private:
  enum class Stage : uint8_t {
    kFirstByte,   // of a frame
    kSecondByte,  // the short length
    kLength16,    // a length of two bytes, of which length_left_ are missing
    kLength64,    // … of eight
    kPayload,
    kClosed,
    kFailed,
  };
  enum class Message : uint8_t { kNone, kText, kBinary };
  // What the steps of one feed share.
  struct Feed {
    BodySink* sink;
    std::string& control_out;
    H1Feed& out;
    bool began_earlier;  // of the message in progress
  };
  // Each consumes a beginning of `bytes` and returns its size.
  size_t feed_header(std::string_view bytes, Feed& feed);
  size_t feed_payload(std::string_view bytes, Feed& feed);

  void take_first_byte(uint8_t byte, Feed& feed);
  void take_second_byte(uint8_t byte, Feed& feed);
  void take_length_byte(uint8_t byte, Feed& feed);
  bool is_control() const;
  void begin_payload(Feed& feed);
  void end_frame(Feed& feed);
  void end_message(Feed& feed);
  void end_control(Feed& feed);
  void end_close(Feed& feed);
  uint32_t next_mask();
  void answer_ping(std::string& control_out);
  void fail(const char* detail, H1Feed& out, uint16_t code = kProtocolError);

  static constexpr uint16_t kProtocolError = 1002;

  std::string control_;      // payload so far of a control frame
  uint64_t wire_bytes_ = 0;  // since the last finished message
  uint64_t body_bytes_ = 0;  // of the message in progress
  uint64_t left_ = 0;        // of the frame's payload
  Counts counts_;
  size_t last_pong_bytes_ = 0;
  uint32_t masks_ = 0;  // used so far
  uint16_t fault_code_ = kProtocolError;
  std::optional<uint16_t> close_code_;
  Stage stage_ = Stage::kFirstByte;
  Message message_ = Message::kNone;  // in progress
  uint8_t opcode_ = 0;                // of the frame in progress
  uint8_t length_left_ = 0;
  bool final_ = false;  // the frame in progress is the last of its message
  Utf8Check utf8_;
};

// One masked close frame (RFC 6455 5.5.1); with 1005, which says so, without a code.
void append_ws_close(std::string& out, uint16_t code, uint32_t mask);

}  // namespace carronade::http
