// HOT.
//
//   kFirstByte -> kSecondByte -> [kLength16 | kLength64] -> kPayload -> end_frame -> kFirstByte
//                                                            close frame -> kClosed
//   any fault -> kFailed
//
// The header of a frame is read byte by byte, so that it makes no difference where reads split it;
// payload is handled in place, as long a piece as there is.
#include "http/ws_session.h"

#include <algorithm>

#include "base/random.h"
#include "http/ws_frame.h"

namespace carronade::http {

namespace {

constexpr uint8_t kFinalBit = 0x80;
constexpr uint8_t kReservedBits = 0x70;
constexpr uint8_t kOpcodeBits = 0x0F;
constexpr uint8_t kControlBit = 0x08;
constexpr uint8_t kMaskBit = 0x80;
constexpr uint8_t kLongestControl = 125;
constexpr uint8_t kSays16 = 126;
constexpr uint8_t kSays64 = 127;
constexpr uint16_t kNoCode = 1005;
constexpr uint16_t kNotUtf8 = 1007;

// RFC 6455 7.4 and IANA's registry: 1004 to 1006 and 1015 are never sent, what lies between the
// registered and the free ones is reserved.
bool may_be_sent(uint16_t code) {
  if (code >= 3000) return code <= 4999;
  return code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
}

}  // namespace

size_t WsSession::feed(std::string_view bytes, uint32_t limit, BodySink* sink,
                       std::string& control_out, H1Feed& out) {
  out.count = 0;
  out.fault.reset();
  if (stage_ == Stage::kFailed) fail("bytes after a fault on this connection", out);
  Feed feed{sink, control_out, out, mid_message()};
  const size_t most = std::min<size_t>(limit, H1Feed::kCapacity);
  size_t used = 0;
  while (used < bytes.size() && out.count < most && stage_ < Stage::kClosed) {
    const std::string_view rest = bytes.substr(used);
    used += stage_ == Stage::kPayload ? feed_payload(rest, feed) : feed_header(rest, feed);
  }
  out.began_here = !feed.began_earlier;
  return used;
}

size_t WsSession::feed_header(std::string_view bytes, Feed& feed) {
  size_t used = 0;
  do {
    const auto byte = static_cast<uint8_t>(bytes[used++]);
    ++wire_bytes_;
    if (stage_ == Stage::kFirstByte) {
      take_first_byte(byte, feed);
    } else if (stage_ == Stage::kSecondByte) {
      take_second_byte(byte, feed);
    } else {
      take_length_byte(byte, feed);
    }
  } while (used < bytes.size() && stage_ > Stage::kFirstByte && stage_ < Stage::kPayload);
  return used;
}

void WsSession::take_first_byte(uint8_t byte, Feed& feed) {
  if ((byte & kReservedBits) != 0) {
    return fail("a reserved bit of a frame is set, and no extension was agreed on", feed.out);
  }
  final_ = (byte & kFinalBit) != 0;
  opcode_ = byte & kOpcodeBits;
  switch (static_cast<WsOpcode>(opcode_)) {
    case WsOpcode::kContinuation:
      if (!mid_message()) return fail("a continuation frame continues nothing", feed.out);
      break;
    case WsOpcode::kText:
    case WsOpcode::kBinary:
      if (mid_message()) return fail("a message begins within a fragmented one", feed.out);
      message_ =
          opcode_ == static_cast<uint8_t>(WsOpcode::kText) ? Message::kText : Message::kBinary;
      break;
    case WsOpcode::kClose:
    case WsOpcode::kPing:
    case WsOpcode::kPong:
      if (!final_) return fail("a control frame is fragmented", feed.out);
      break;
    default:
      return fail("a frame has a reserved opcode", feed.out);
  }
  stage_ = Stage::kSecondByte;
}

void WsSession::take_second_byte(uint8_t byte, Feed& feed) {
  if ((byte & kMaskBit) != 0) return fail("a frame from the server is masked", feed.out);
  if (is_control() && byte > kLongestControl) {
    return fail("a control frame is longer than 125 bytes", feed.out);
  }
  if (byte == kSays16 || byte == kSays64) {
    left_ = 0;
    length_left_ = byte == kSays16 ? sizeof(uint16_t) : sizeof(uint64_t);
    stage_ = byte == kSays16 ? Stage::kLength16 : Stage::kLength64;
    return;
  }
  left_ = byte;
  begin_payload(feed);
}

void WsSession::take_length_byte(uint8_t byte, Feed& feed) {
  left_ = left_ << 8 | byte;
  if (--length_left_ > 0) return;
  if (left_ > INT64_MAX) return fail("the length of a frame has its highest bit set", feed.out);
  if (left_ < kSays16 || (stage_ == Stage::kLength64 && left_ <= UINT16_MAX)) {
    return fail("the length of a frame takes more bytes than it needs", feed.out);
  }
  begin_payload(feed);
}

void WsSession::begin_payload(Feed& feed) {
  stage_ = Stage::kPayload;
  if (left_ == 0) end_frame(feed);
}

size_t WsSession::feed_payload(std::string_view bytes, Feed& feed) {
  const std::string_view piece = bytes.substr(0, std::min<uint64_t>(left_, bytes.size()));
  left_ -= piece.size();
  wire_bytes_ += piece.size();
  if (is_control()) {
    control_ += piece;
  } else {
    if (message_ == Message::kText && !utf8_.feed(piece)) {
      fail("a text message is not UTF-8", feed.out, kNotUtf8);
      return piece.size();
    }
    body_bytes_ += piece.size();
    if (feed.sink != nullptr) feed.sink->on_body(piece);
  }
  if (left_ == 0) end_frame(feed);
  return piece.size();
}

void WsSession::end_frame(Feed& feed) {
  stage_ = Stage::kFirstByte;
  if (is_control()) {
    end_control(feed);
  } else if (final_) {
    end_message(feed);
  }
}

void WsSession::end_message(Feed& feed) {
  if (!utf8_.complete()) {
    return fail("a text message ends within a character", feed.out, kNotUtf8);
  }
  ++(message_ == Message::kText ? counts_.text_messages : counts_.binary_messages);
  feed.out.responses[feed.out.count++] = {.status = 0,
                                          .close_after = false,
                                          .began_earlier = feed.began_earlier,
                                          .wire_bytes = wire_bytes_,
                                          .body_bytes = body_bytes_};
  wire_bytes_ = 0;
  body_bytes_ = 0;
  message_ = Message::kNone;
  feed.began_earlier = false;
  if (feed.sink != nullptr) feed.sink->on_response_end();
}

void WsSession::end_control(Feed& feed) {
  switch (static_cast<WsOpcode>(opcode_)) {
    case WsOpcode::kPing:
      ++counts_.pings;
      answer_ping(feed.control_out);
      break;
    case WsOpcode::kPong:
      ++counts_.pongs;
      break;
    default:
      end_close(feed);
      break;
  }
  control_.clear();
}

void WsSession::answer_ping(std::string& control_out) {
  if (control_out.size() > kMostUnsent) control_out.resize(control_out.size() - last_pong_bytes_);
  const size_t before = control_out.size();
  append_ws_frame(control_out, WsOpcode::kPong, control_, next_mask());
  last_pong_bytes_ = control_out.size() - before;
}

void WsSession::end_close(Feed& feed) {
  uint16_t code = kNoCode;
  if (control_.size() == 1) return fail("a close frame has half a code", feed.out);
  if (!control_.empty()) {
    code = static_cast<uint16_t>(static_cast<uint8_t>(control_[0]) << 8 |
                                 static_cast<uint8_t>(control_[1]));
    if (!may_be_sent(code)) return fail("a close frame has a code that may not be sent", feed.out);
    Utf8Check reason;
    if (!reason.feed(std::string_view(control_).substr(2)) || !reason.complete()) {
      return fail("the reason in a close frame is not UTF-8", feed.out, kNotUtf8);
    }
  }
  close_code_ = code;
  stage_ = Stage::kClosed;
  append_ws_close(feed.control_out, code, next_mask());
}

bool WsSession::is_control() const { return (opcode_ & kControlBit) != 0; }

bool WsSession::mid_message() const { return message_ != Message::kNone; }

uint64_t WsSession::partial_wire_bytes() const { return wire_bytes_; }

// Another one for each frame. They can be predicted, which RFC 6455 10.3 forbids browsers, where
// somebody else's script chooses the payload: here it is the server's own.
uint32_t WsSession::next_mask() { return static_cast<uint32_t>(base::mix(0, masks_++)); }

void WsSession::fail(const char* detail, H1Feed& out, uint16_t code) {
  stage_ = Stage::kFailed;
  fault_code_ = code;
  out.fault = H1Fault{ErrorKind::kMalformedFrame, detail};
}

void WsSession::reset() {
  control_.clear();
  wire_bytes_ = 0;
  body_bytes_ = 0;
  left_ = 0;
  close_code_.reset();
  stage_ = Stage::kFirstByte;
  message_ = Message::kNone;
  utf8_.reset();
}

void append_ws_close(std::string& out, uint16_t code, uint32_t mask) {
  const char text[] = {static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)};
  append_ws_frame(out, WsOpcode::kClose, {text, code == kNoCode ? 0 : sizeof(text)}, mask);
}

}  // namespace carronade::http
