// HOT.
#include "server/message_reader.h"

#include <algorithm>
#include <cstring>

namespace carronade::server {
namespace {

constexpr size_t kMaskBytes = 4;

// XORs with the mask, whose byte mask_at % 4 belongs to the first byte.
void unmask(char* bytes, size_t size, const std::array<char, 4>& mask, size_t mask_at) {
  std::array<char, 8> turned{};
  for (size_t i = 0; i < turned.size(); ++i) turned[i] = mask[(mask_at + i) % kMaskBytes];
  uint64_t wide_mask = 0;
  std::memcpy(&wide_mask, turned.data(), sizeof wide_mask);
  size_t at = 0;
  for (; at + sizeof wide_mask <= size; at += sizeof wide_mask) {
    uint64_t wide = 0;
    std::memcpy(&wide, bytes + at, sizeof wide);
    wide ^= wide_mask;
    std::memcpy(bytes + at, &wide, sizeof wide);
  }
  for (; at < size; ++at) bytes[at] = static_cast<char>(bytes[at] ^ turned[at % kMaskBytes]);
}

// The bytes behind a lead byte, and what the first of them must be: RFC 3629 4.
struct Utf8Tail {
  size_t size = 0;  // 0: not a lead byte
  uint8_t low = 0x80;
  uint8_t high = 0xbf;
};

constexpr Utf8Tail tail_of(uint8_t lead) {
  if (lead >= 0xc2 && lead <= 0xdf) return {1};
  if (lead == 0xe0) return {2, 0xa0, 0xbf};
  if (lead == 0xed) return {2, 0x80, 0x9f};
  if (lead >= 0xe1 && lead <= 0xef) return {2};
  if (lead == 0xf0) return {3, 0x90, 0xbf};
  if (lead == 0xf4) return {3, 0x80, 0x8f};
  if (lead >= 0xf1 && lead <= 0xf3) return {3};
  return {};
}

bool is_utf8(std::string_view text) {
  const auto byte = [&text](size_t at) { return static_cast<uint8_t>(text[at]); };
  size_t at = 0;
  while (at < text.size()) {
    uint64_t wide = 0;
    if (at + sizeof wide <= text.size()) {
      std::memcpy(&wide, text.data() + at, sizeof wide);
      if ((wide & 0x8080808080808080) == 0) {
        at += sizeof wide;
        continue;
      }
    }
    const uint8_t lead = byte(at++);
    if (lead < 0x80) continue;
    const Utf8Tail tail = tail_of(lead);
    if (tail.size == 0 || text.size() - at < tail.size) return false;
    if (byte(at) < tail.low || byte(at) > tail.high) return false;
    for (size_t i = 1; i < tail.size; ++i) {
      if ((byte(at + i) & 0xc0) != 0x80) return false;
    }
    at += tail.size;
  }
  return true;
}

uint64_t big_endian(std::string_view bytes) {
  uint64_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<uint8_t>(c);
  return number;
}

// RFC 6455 7.4, with what IANA has registered since; 1005, 1006 and 1015 are never sent.
bool may_be_sent(uint64_t code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
         (code >= 3000 && code <= 4999);
}

}  // namespace

MessageStep MessageReader::step(std::string_view bytes) {
  if (given_) {
    message_.clear();
    if (message_.capacity() > kKeptBytes) message_ = std::string();
    given_ = false;
  }
  size_t consumed = 0;
  for (;;) {
    if (code_ != 0) return failure(consumed);
    if (!in_frame_) {
      const size_t before = consumed;
      if (!take_header(bytes, consumed)) return failure(consumed);
      if (!in_frame_) return {MessageStep::Kind::kNeedMore, consumed, {}, {}};
      bytes.remove_prefix(consumed - before);
    }
    take_payload(bytes, consumed);
    if (left_ > 0) return {MessageStep::Kind::kNeedMore, consumed, {}, {}};
    in_frame_ = false;
    if (is_control()) return finish_control(consumed);
    if (final_) return finish_message(consumed);
  }
}

// False when it is refused; in_frame_ when it was complete.
bool MessageReader::take_header(std::string_view bytes, size_t& consumed) {
  if (bytes.size() < 2) return true;
  const auto first = static_cast<uint8_t>(bytes[0]);
  const auto second = static_cast<uint8_t>(bytes[1]);
  if (!check_first_bytes(first, second)) return false;
  const uint8_t short_length = second & 0x7f;
  const size_t length_bytes = short_length == 126 ? 2 : short_length == 127 ? 8 : 0;
  const size_t size = 2 + length_bytes + kMaskBytes;
  if (bytes.size() < size) return true;
  final_ = (first & 0x80) != 0;
  opcode_ = static_cast<Opcode>(first & 0x0f);
  if (!take_length(bytes.substr(2, length_bytes), short_length)) return false;
  std::copy_n(bytes.data() + size - kMaskBytes, kMaskBytes, mask_.begin());
  mask_at_ = 0;
  if (is_control()) {
    control_size_ = 0;
  } else if (opcode_ != Opcode::kContinuation) {
    message_opcode_ = opcode_;
    in_message_ = true;
  }
  in_frame_ = true;
  consumed += size;
  return true;
}

bool MessageReader::check_first_bytes(uint8_t first, uint8_t second) {
  const bool final = (first & 0x80) != 0;
  const uint8_t opcode = first & 0x0f;
  const uint8_t length = second & 0x7f;
  if ((first & 0x70) != 0) return refuse(kCloseProtocolError, "a reserved bit is set");
  if ((second & 0x80) == 0) return refuse(kCloseProtocolError, "a frame is not masked");
  if (opcode > 0xa || (opcode > 0x2 && opcode < 0x8)) {
    return refuse(kCloseProtocolError, "a reserved opcode");
  }
  if (opcode >= 0x8) {
    if (!final) return refuse(kCloseProtocolError, "a control frame in fragments");
    if (length > kControlBytesMax)
      return refuse(kCloseProtocolError, "a control frame is too long");
  } else if (opcode == 0 && !in_message_) {
    return refuse(kCloseProtocolError, "a continuation of nothing");
  } else if (opcode != 0 && in_message_) {
    return refuse(kCloseProtocolError, "a new message inside another one's fragments");
  }
  return true;
}

// `header`: the length's own bytes, none when the short one says it.
bool MessageReader::take_length(std::string_view header, uint8_t short_length) {
  left_ = header.empty() ? short_length : big_endian(header);
  const uint64_t least = header.empty() ? 0 : header.size() == 2 ? 126 : 0x10000;
  if (left_ < least || left_ >> 63 != 0) {
    return refuse(kCloseProtocolError, "a length that is not in its shortest form");
  }
  if (!is_control() && left_ > kMessageBytesMax - message_.size()) {
    return refuse(kCloseTooBig, "a message is longer than 16 MiB");
  }
  return true;
}

// Memory grows with what has come, not with what is announced.
void MessageReader::take_payload(std::string_view& bytes, size_t& consumed) {
  const size_t size = static_cast<size_t>(std::min<uint64_t>(left_, bytes.size()));
  if (is_control()) {
    std::copy_n(bytes.data(), size, control_.data() + control_size_);
    unmask(control_.data() + control_size_, size, mask_, mask_at_);
    control_size_ += size;
  } else {
    const size_t before = message_.size();
    message_.append(bytes.substr(0, size));
    unmask(message_.data() + before, size, mask_, mask_at_);
  }
  mask_at_ = (mask_at_ + size) % kMaskBytes;
  left_ -= size;
  bytes.remove_prefix(size);
  consumed += size;
}

MessageStep MessageReader::finish_message(size_t consumed) {
  in_message_ = false;
  given_ = true;
  if (message_opcode_ == Opcode::kText && !is_utf8(message_)) {
    refuse(kCloseNotUtf8, "a text message is not UTF-8");
    return failure(consumed);
  }
  return {MessageStep::Kind::kMessage, consumed, message_opcode_, message_};
}

MessageStep MessageReader::finish_control(size_t consumed) {
  const std::string_view payload(control_.data(), control_size_);
  MessageStep step{MessageStep::Kind::kControl, consumed, opcode_, payload};
  if (opcode_ != Opcode::kClose || payload.empty()) return step;
  const uint64_t code = big_endian(payload.substr(0, 2));
  if (payload.size() == 1 || !may_be_sent(code)) {
    refuse(kCloseProtocolError, "a close frame with a code that must not be sent");
  } else if (!is_utf8(payload.substr(2))) {
    refuse(kCloseNotUtf8, "a close frame's reason is not UTF-8");
  }
  if (code_ != 0) return failure(consumed);
  step.code = static_cast<uint16_t>(code);
  return step;
}

bool MessageReader::refuse(uint16_t code, const char* reason) {
  code_ = code;
  reason_ = reason;
  return false;
}

MessageStep MessageReader::failure(size_t consumed) const {
  return {MessageStep::Kind::kError, consumed, Opcode::kClose, {}, code_, reason_};
}

}  // namespace carronade::server
