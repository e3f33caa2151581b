// HOT. The lines of an HTTP/1.x response head, one at a time: a head is never needed in one
// piece, so that only a line that is split over reads must ever be copied. A fault is a pointer
// to a static H1Fault, null for none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/response.h"

namespace carronade::http {

// One line within a buffer. `size` counts its line end (CR LF or a bare LF); 0: not all here yet.
struct H1Line {
  size_t size = 0;
  size_t text = 0;    // bytes before the line end
  bool clean = true;  // false: a NUL or a CR that does not end the line stands in it
};

// The first line of `bytes`.
H1Line next_line(std::string_view bytes);

// What the head of one response said, as far as the end of its body depends on it.
struct H1Head {
  uint64_t length = 0;  // of Content-Length, when has_length
  uint16_t status = 0;
  bool http10 : 1 = false;
  bool has_length : 1 = false;
  bool length_invalid : 1 = false;   // not a number below 2^63
  bool length_conflict : 1 = false;  // several, different
  bool transfer_encoding : 1 = false;
  bool chunked_last : 1 = false;   // the last coding so far is chunked
  bool chunked_twice : 1 = false;  // another coding came after chunked
  bool connection_close : 1 = false;
  bool connection_keep_alive : 1 = false;
};

// How the end of a body is found.
enum class H1Framing : uint8_t { kNoBody, kLength, kChunked, kUntilClose };

// Any beginning of a status line: a peer that speaks something else is found out at once, not
// when its first line ends.
const H1Fault* check_status_line_start(std::string_view text);

// `text` is a line without its end. 101 is a fault: nothing after it is HTTP.
const H1Fault* parse_status_line(std::string_view text, H1Head& head);

// A header line that is not empty. Notes Content-Length, Transfer-Encoding and Connection;
// others are only checked. Their faults are kept for framing_of, as not every answer has a body.
const H1Fault* parse_header_line(std::string_view text, H1Head& head);

// A trailer line that is not empty: checked, without effect.
const H1Fault* check_trailer_line(std::string_view text);

// RFC 9112 6.3. `head_request`: the answer is to a HEAD request.
const H1Fault* framing_of(const H1Head& head, bool head_request, H1Framing& framing);

// The connection cannot be used after this response, however its body ends.
bool closes_after(const H1Head& head);

extern const H1Fault kFaultUncleanLine;
extern const H1Fault kFaultHeadersTooLarge;
extern const H1Fault kFaultEmptyLines;

}  // namespace carronade::http
