// HOT.
#include "http/h1_parser.h"

#include <array>
#include <bit>
#include <cstring>

namespace carronade::http {

static_assert(std::endian::native == std::endian::little, "next_line finds bytes from the low end");

namespace {

constexpr ErrorKind kMalformed = ErrorKind::kMalformedResponse;

constexpr H1Fault kNotHttp1{kMalformed, "status line is not HTTP/1.0 or HTTP/1.1"};
constexpr H1Fault kBadStatus{kMalformed, "status code is not a number from 100 to 999"};
constexpr H1Fault kSwitching{kMalformed, "unexpected 101 Switching Protocols"};
constexpr H1Fault kObsFold{kMalformed, "obs-fold: a header line begins with a space"};
constexpr H1Fault kNoColon{kMalformed, "header line without a colon"};
constexpr H1Fault kSpaceBeforeColon{kMalformed, "space before the colon of a header"};
constexpr H1Fault kEmptyName{kMalformed, "header name is empty"};
constexpr H1Fault kBadName{kMalformed, "header name is not a token"};
constexpr H1Fault kBadLength{kMalformed, "Content-Length is not a number below 2^63"};
constexpr H1Fault kLengthConflict{ErrorKind::kConflictingLength,
                                  "Content-Length headers with different values"};
constexpr H1Fault kLengthBesideChunked{ErrorKind::kConflictingLength,
                                       "Content-Length beside Transfer-Encoding: chunked"};
constexpr H1Fault kNotChunked{ErrorKind::kUnsupportedEncoding,
                              "last coding of Transfer-Encoding is not chunked"};
constexpr H1Fault kChunkedTwice{ErrorKind::kUnsupportedEncoding,
                                "chunked is more than once in Transfer-Encoding"};

constexpr uint64_t kMaxLength = (uint64_t{1} << 63) - 1;

constexpr std::array<bool, 256> make_token_table() {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<size_t>(c)] = true;
  for (char c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<size_t>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kToken = make_token_table();

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// `lower` is in small letters. Or-ing 0x20 maps capitals to small letters, and nothing else that
// may stand in a header line onto a letter or '-' but the carriage return, which next_line refuses.
bool equals_lower(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

// Calls `each` with every element of a comma list, blanks cut off.
template <class Each>
void for_each_element(std::string_view list, Each each) {
  for (;;) {
    const size_t comma = list.find(',');
    each(trim_blanks(list.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

void note_length(std::string_view digits, H1Head& head) {
  uint64_t value = 0;
  bool valid = !digits.empty();
  for (char c : digits) {
    const auto digit = static_cast<uint64_t>(c - '0');
    if (!is_digit(c) || value > (kMaxLength - digit) / 10) {
      valid = false;
      break;
    }
    value = value * 10 + digit;
  }
  if (!valid) {
    head.length_invalid = true;
    return;
  }
  if (head.has_length && head.length != value) head.length_conflict = true;
  head.has_length = true;
  head.length = value;
}

void note_coding(std::string_view coding, H1Head& head) {
  if (coding.empty()) return;  // RFC 9110 5.6.1: empty list elements are ignored
  if (head.chunked_last) head.chunked_twice = true;
  head.chunked_last = equals_lower(coding, "chunked");
}

void note_connection(std::string_view option, H1Head& head) {
  if (equals_lower(option, "close")) head.connection_close = true;
  if (equals_lower(option, "keep-alive")) head.connection_keep_alive = true;
}

// Splits off the name. On success `name_size` is set and text[name_size] is the colon.
const H1Fault* parse_name(std::string_view text, size_t& name_size) {
  size_t i = 0;
  while (i < text.size() && kToken[static_cast<unsigned char>(text[i])]) ++i;
  name_size = i;
  if (i < text.size() && text[i] == ':') return i == 0 ? &kEmptyName : nullptr;
  if (i == 0 && is_blank(text[0])) return &kObsFold;
  if (text.find(':') == std::string_view::npos) return &kNoColon;
  return is_blank(text[i]) ? &kSpaceBeforeColon : &kBadName;
}

// Bytes below 0x20 of `word` have their top bit set in the result, the lowest of them exactly.
uint64_t controls_in(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  return (word - kOnes * 0x20) & ~word & (kOnes * 0x80);
}

// Position of the first byte below 0x20 at or after `from`; bytes.size() when there is none.
size_t find_control(std::string_view bytes, size_t from) {
  size_t i = from;
  for (; i + sizeof(uint64_t) <= bytes.size(); i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, sizeof word);
    const uint64_t controls = controls_in(word);
    if (controls != 0) return i + static_cast<size_t>(std::countr_zero(controls)) / 8;
  }
  while (i < bytes.size() && static_cast<unsigned char>(bytes[i]) >= 0x20) ++i;
  return i;
}

}  // namespace

constexpr H1Fault kFaultUncleanLine{kMalformed, "NUL or bare CR in the header"};
constexpr H1Fault kFaultHeadersTooLarge{ErrorKind::kHeadersTooLarge,
                                        "more than 64 KiB of header or trailer"};
constexpr H1Fault kFaultEmptyLines{kMalformed, "too many empty lines before the status line"};

H1Line next_line(std::string_view bytes) {
  for (size_t i = find_control(bytes, 0); i < bytes.size(); i = find_control(bytes, i + 1)) {
    const char c = bytes[i];
    if (c == '\n') return {i + 1, i, true};
    if (c == '\r') {
      if (i + 1 == bytes.size()) return {};
      if (bytes[i + 1] == '\n') return {i + 2, i, true};
    }
    if (c == '\r' || c == '\0') {
      // Refused when the line is all here, so that a fault does not depend on the reads.
      const size_t end = bytes.find('\n', i + 1);
      if (end == std::string_view::npos) return {};
      return {end + 1, end, false};
    }
  }
  return {};
}

const H1Fault* check_status_line_start(std::string_view text) {
  constexpr std::string_view kPrefix = "HTTP/1.";
  const size_t known = text.size() < kPrefix.size() ? text.size() : kPrefix.size();
  if (std::memcmp(text.data(), kPrefix.data(), known) != 0) return &kNotHttp1;
  if (text.size() > 7 && text[7] != '1' && text[7] != '0') return &kNotHttp1;
  if (text.size() > 8 && text[8] != ' ') return &kNotHttp1;
  return nullptr;
}

const H1Fault* parse_status_line(std::string_view text, H1Head& head) {
  if (text.size() < 9) return &kNotHttp1;
  if (const H1Fault* fault = check_status_line_start(text)) return fault;
  if (text.size() < 12 || text[9] < '1' || text[9] > '9' || !is_digit(text[10]) ||
      !is_digit(text[11]) || (text.size() > 12 && text[12] != ' ')) {
    return &kBadStatus;
  }
  head = H1Head{};
  head.http10 = text[7] == '0';
  head.status =
      static_cast<uint16_t>((text[9] - '0') * 100 + (text[10] - '0') * 10 + (text[11] - '0'));
  return head.status == 101 ? &kSwitching : nullptr;
}

const H1Fault* parse_header_line(std::string_view text, H1Head& head) {
  size_t name_size = 0;
  if (const H1Fault* fault = parse_name(text, name_size)) return fault;
  const char first = static_cast<char>(text[0] | 0x20);
  if (first != 'c' && first != 't') return nullptr;
  const std::string_view name = text.substr(0, name_size);
  const std::string_view value = trim_blanks(text.substr(name_size + 1));
  if (equals_lower(name, "content-length")) {
    for_each_element(value, [&](std::string_view digits) { note_length(digits, head); });
  } else if (equals_lower(name, "connection")) {
    for_each_element(value, [&](std::string_view option) { note_connection(option, head); });
  } else if (equals_lower(name, "transfer-encoding")) {
    head.transfer_encoding = true;
    for_each_element(value, [&](std::string_view coding) { note_coding(coding, head); });
  }
  return nullptr;
}

const H1Fault* check_trailer_line(std::string_view text) {
  size_t name_size = 0;
  return parse_name(text, name_size);
}

const H1Fault* framing_of(const H1Head& head, bool head_request, H1Framing& framing) {
  framing = H1Framing::kNoBody;
  if (head_request || head.status / 100 == 1 || head.status == 204 || head.status == 304) {
    return nullptr;
  }
  if (head.transfer_encoding) {
    if (!head.chunked_last) return &kNotChunked;
    if (head.chunked_twice) return &kChunkedTwice;
    if (head.has_length || head.length_invalid) return &kLengthBesideChunked;
    framing = H1Framing::kChunked;
    return nullptr;
  }
  if (head.length_invalid) return &kBadLength;
  if (head.length_conflict) return &kLengthConflict;
  framing = head.has_length ? H1Framing::kLength : H1Framing::kUntilClose;
  return nullptr;
}

bool closes_after(const H1Head& head) {
  if (head.connection_close) return true;
  // RFC 9112 6.1: the framing of a 1.0 message with Transfer-Encoding is not to be trusted.
  return head.http10 && (!head.connection_keep_alive || head.transfer_encoding);
}

}  // namespace carronade::http
