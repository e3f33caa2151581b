// HOT.
#include "server/request_parser.h"

#include <array>
#include <cstring>

namespace carronade::server {
namespace {

using Table = std::array<bool, 256>;

constexpr Table token_table() {
  Table table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<size_t>(c)] = true;
  for (char c : {'!', '#', '$', '%', '&', '\'', '*', '+', '-', '.', '^', '_', '`', '|', '~'}) {
    table[static_cast<size_t>(c)] = true;
  }
  return table;
}
constexpr Table value_table() {
  Table table{};
  for (size_t c = 0x20; c < 256; ++c) table[c] = c != 0x7f;
  table['\t'] = true;
  return table;
}
constexpr Table kToken = token_table();
constexpr Table kValue = value_table();

bool is_token(char c) { return kToken[static_cast<unsigned char>(c)]; }
bool is_value(char c) { return kValue[static_cast<unsigned char>(c)]; }
bool is_target(char c) { return c > 0x20 && c < 0x7f; }

template <class Predicate>
bool all_of(std::string_view text, Predicate predicate) {
  for (char c : text) {
    if (!predicate(c)) return false;
  }
  return true;
}

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// `lower` is in lower case.
bool equals_lower(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    if (c != lower[i]) return false;
  }
  return true;
}

// Calls visit(element) for each element of a comma-separated list, empty ones left out.
template <class Visit>
bool each_element(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const size_t comma = list.find(',');
    const std::string_view element = trim_blanks(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    if (!element.empty() && !visit(element)) return false;
  }
  return true;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool RequestParser::refuse(int status, const char* reason) {
  state_ = State::kFailed;
  status_ = status;
  reason_ = reason;
  return false;
}

ParseStep RequestParser::failure(size_t consumed) const {
  return {ParseStep::Kind::kError, consumed, {}, status_, reason_};
}

ParseStep RequestParser::step(std::string_view bytes) {
  if (state_ == State::kHead) return step_head(bytes);
  if (state_ == State::kFailed) return failure(0);
  return step_body(bytes);
}

ParseStep RequestParser::step_head(std::string_view bytes) {
  size_t skipped = 0;
  if (seen_ == 0) {
    // RFC 9112 2.2: empty lines before the request line are passed over.
    while (bytes.size() >= 2 && bytes[0] == '\r' && bytes[1] == '\n') {
      bytes.remove_prefix(2);
      skipped += 2;
    }
    if (bytes.empty() || bytes == "\r") return {ParseStep::Kind::kNeedMore, skipped, {}};
    // Told from the first byte, so that one who speaks TLS here is not left waiting.
    if (!is_token(bytes[0])) {
      refuse(400, "the request does not start with a method");
      return failure(skipped);
    }
    head_ = RequestHead();
  }
  for (;;) {
    const char* from = bytes.data() + seen_;
    const void* found = std::memchr(from, '\n', bytes.size() - seen_);
    if (found == nullptr) {
      seen_ = bytes.size();
      if (seen_ < kHeadBytesMax) return {ParseStep::Kind::kNeedMore, skipped, {}};
      refuse(431, "request line and headers are longer than 64 KiB");
      return failure(skipped);
    }
    const auto line_end = static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
    const size_t next = line_end + 1;
    const size_t offset = line_start_;
    seen_ = next;
    line_start_ = next;
    bool accepted = true;
    if (next > kHeadBytesMax) {
      accepted = refuse(431, "request line and headers are longer than 64 KiB");
    } else if (line_end == offset || bytes[line_end - 1] != '\r') {
      accepted = refuse(400, "a line ends without CR");
    } else {
      const std::string_view line = bytes.substr(offset, line_end - 1 - offset);
      if (!have_line_) {
        accepted = take_request_line(line, offset);
      } else if (line.empty()) {
        ParseStep end = finish_head(bytes, next);
        end.consumed += skipped;
        return end;
      } else {
        accepted = take_header(line, offset);
      }
    }
    if (!accepted) return failure(skipped);
  }
}

bool RequestParser::take_request_line(std::string_view line, size_t offset) {
  have_line_ = true;
  const size_t method_end = line.find(' ');
  if (method_end == std::string_view::npos) return refuse(400, "no target in the request line");
  if (!all_of(line.substr(0, method_end), is_token)) {
    return refuse(400, "the method is not a token");
  }
  const size_t target_end = line.find(' ', method_end + 1);
  if (target_end == std::string_view::npos) return refuse(400, "no version in the request line");
  const std::string_view target = line.substr(method_end + 1, target_end - method_end - 1);
  if (target.empty()) return refuse(400, "the target is empty");
  if (!all_of(target, is_target)) {
    return refuse(400, "the target has a byte that must be percent-encoded");
  }
  const std::string_view version = line.substr(target_end + 1);
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (version.size() != 8 || version.substr(0, 5) != "HTTP/" || !digit(version[5]) ||
      version[6] != '.' || !digit(version[7])) {
    return refuse(400, "the version is not HTTP/x.y");
  }
  if (version[5] != '1') return refuse(505, "the version is not HTTP/1.x");
  method_ = {offset, method_end};
  target_ = {offset + method_end + 1, target.size()};
  head_.minor_version = version[7] - '0';
  return true;
}

bool RequestParser::take_header(std::string_view line, size_t offset) {
  if (line[0] == ' ' || line[0] == '\t') return refuse(400, "a header is folded over two lines");
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return refuse(400, "a header has no colon");
  const std::string_view name = line.substr(0, colon);
  if (name.empty() || !all_of(name, is_token)) {
    return refuse(400, "a header's name is not a token");
  }
  const std::string_view value = trim_blanks(line.substr(colon + 1));
  if (!all_of(value, is_value)) return refuse(400, "a header's value has a control byte");
  const auto value_offset = static_cast<size_t>(value.data() - line.data());
  return take_known_header(name, value, offset + value_offset);
}

bool RequestParser::take_known_header(std::string_view name, std::string_view value,
                                      size_t value_offset) {
  switch (name.size()) {
    case 4:
      if (!equals_lower(name, "host")) return true;
      if (have_host_) return refuse(400, "more than one Host");
      have_host_ = true;
      return true;
    case 6:
      if (!equals_lower(name, "expect")) return true;
      if (!equals_lower(value, "100-continue")) return refuse(417, "an unknown expectation");
      head_.expect_continue = true;
      return true;
    case 7:
      if (!equals_lower(name, "upgrade")) return true;
      return each_element(value, [this](std::string_view protocol) {
        head_.websocket = head_.websocket || equals_lower(protocol, "websocket");
        return true;
      });
    case 10:
      return !equals_lower(name, "connection") || take_connection(value);
    case 12:
      if (equals_lower(name, "content-type")) content_type_ = {value_offset, value.size()};
      return true;
    case 14:
      return !equals_lower(name, "content-length") || take_length(value);
    case 17:
      return !equals_lower(name, "transfer-encoding") || take_encoding(value);
    default:
      return true;
  }
}

bool RequestParser::take_length(std::string_view value) {
  if (value.empty()) return refuse(400, "Content-Length is not a number");
  uint64_t length = 0;
  for (char c : value) {
    if (c < '0' || c > '9') return refuse(400, "Content-Length is not a number");
    const auto digit = static_cast<uint64_t>(c - '0');
    if (length > (UINT64_MAX - digit) / 10) return refuse(400, "Content-Length is too large");
    length = length * 10 + digit;
  }
  if (have_length_ && length != head_.content_length) {
    return refuse(400, "Content-Length twice with different values");
  }
  have_length_ = true;
  head_.content_length = length;
  return true;
}

bool RequestParser::take_encoding(std::string_view value) {
  have_encoding_ = true;
  return each_element(value, [this](std::string_view coding) {
    if (!equals_lower(coding, "chunked")) return refuse(501, "an unknown Transfer-Encoding");
    if (head_.chunked) return refuse(400, "chunked twice");
    head_.chunked = true;
    return true;
  });
}

bool RequestParser::take_connection(std::string_view value) {
  return each_element(value, [this](std::string_view option) {
    wants_close_ = wants_close_ || equals_lower(option, "close");
    wants_keep_alive_ = wants_keep_alive_ || equals_lower(option, "keep-alive");
    return true;
  });
}

ParseStep RequestParser::finish_head(std::string_view bytes, size_t consumed) {
  if (head_.minor_version >= 1 && !have_host_) {
    refuse(400, "no Host");
  } else if (have_encoding_ && !head_.chunked) {
    refuse(400, "Transfer-Encoding is empty");
  } else if (have_encoding_ && have_length_) {
    refuse(400, "Content-Length beside Transfer-Encoding");
  } else if (have_encoding_ && head_.minor_version == 0) {
    refuse(400, "Transfer-Encoding in HTTP/1.0");
  }
  if (state_ == State::kFailed) return failure(0);

  head_.method = bytes.substr(method_.offset, method_.size);
  head_.target = bytes.substr(target_.offset, target_.size);
  head_.content_type = bytes.substr(content_type_.offset, content_type_.size);
  head_.keep_alive = !wants_close_ && (head_.minor_version >= 1 || wants_keep_alive_);
  head_.has_body = head_.chunked || head_.content_length > 0;
  head_.websocket = head_.websocket && head_.minor_version >= 1;
  head_.expect_continue = head_.expect_continue && head_.has_body && head_.minor_version >= 1;
  const RequestHead head = head_;
  reset();
  head_ = head;
  left_ = head.content_length;
  if (head.has_body) state_ = head.chunked ? State::kChunkSize : State::kSizedBody;
  return {ParseStep::Kind::kHead, consumed, {}};
}

ParseStep RequestParser::step_body(std::string_view bytes) {
  size_t consumed = 0;
  for (;;) {
    if (state_ == State::kSizedBody && left_ == 0) state_ = State::kHead;
    if (state_ == State::kHead) return {ParseStep::Kind::kEnd, consumed, {}};
    if (consumed == bytes.size()) return {ParseStep::Kind::kNeedMore, consumed, {}};
    if (state_ == State::kSizedBody || state_ == State::kChunkData) {
      const size_t here = bytes.size() - consumed;
      const size_t size = left_ < here ? static_cast<size_t>(left_) : here;
      left_ -= size;
      if (state_ == State::kChunkData && left_ == 0) state_ = State::kChunkDataCr;
      return {ParseStep::Kind::kBody, consumed + size, bytes.substr(consumed, size)};
    }
    if (!take_framing_byte(bytes[consumed++])) return failure(consumed);
  }
}

bool RequestParser::take_framing_byte(char c) {
  switch (state_) {
    case State::kChunkSize:
    case State::kChunkExtension:
    case State::kChunkSizeLf:
      return take_chunk_size_byte(c);
    case State::kChunkDataCr:
      if (c != '\r') return refuse(400, "no CRLF after a chunk");
      state_ = State::kChunkDataLf;
      return true;
    case State::kChunkDataLf:
      if (c != '\n') return refuse(400, "no CRLF after a chunk");
      state_ = State::kChunkSize;
      line_bytes_ = 0;
      have_digit_ = false;
      return true;
    default:
      return take_trailer_byte(c);
  }
}

bool RequestParser::take_chunk_size_byte(char c) {
  if (++line_bytes_ > kChunkLineBytesMax) return refuse(400, "a chunk's line is too long");
  if (state_ == State::kChunkSizeLf) {
    if (c != '\n') return refuse(400, "a chunk's line ends without LF");
    state_ = left_ == 0 ? State::kTrailerStart : State::kChunkData;
    line_bytes_ = 0;
    return true;
  }
  if (state_ == State::kChunkSize) {
    const int digit = hex_digit(c);
    if (digit >= 0) {
      if (left_ >> 60 != 0) return refuse(400, "a chunk's size is too large");
      left_ = left_ << 4 | static_cast<uint64_t>(digit);
      have_digit_ = true;
      return true;
    }
    if (!have_digit_ || (c != '\r' && c != ';')) return refuse(400, "a chunk's size is not hex");
  }
  if (!is_value(c) && c != '\r') return refuse(400, "a chunk's extension has a control byte");
  state_ = c == '\r' ? State::kChunkSizeLf : State::kChunkExtension;
  return true;
}

bool RequestParser::take_trailer_byte(char c) {
  if (++line_bytes_ > kTrailerBytesMax) return refuse(431, "the trailers are longer than 64 KiB");
  switch (state_) {
    case State::kTrailerStart:
      if (c != '\r' && !is_token(c)) return refuse(400, "a trailer's name is not a token");
      state_ = c == '\r' ? State::kLastLf : State::kTrailerName;
      return true;
    case State::kTrailerName:
      if (c != ':' && !is_token(c)) return refuse(400, "a trailer's name is not a token");
      if (c == ':') state_ = State::kTrailerValue;
      return true;
    case State::kTrailerValue:
      if (c != '\r' && !is_value(c)) return refuse(400, "a trailer's value has a control byte");
      if (c == '\r') state_ = State::kTrailerLf;
      return true;
    case State::kTrailerLf:
      if (c != '\n') return refuse(400, "a trailer ends without LF");
      state_ = State::kTrailerStart;
      return true;
    default:
      if (c != '\n') return refuse(400, "the last line of the body ends without LF");
      state_ = State::kHead;
      line_bytes_ = 0;
      have_digit_ = false;
      return true;
  }
}

}  // namespace carronade::server
