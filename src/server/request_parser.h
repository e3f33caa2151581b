// HOT. The test server's own request parser, strict on purpose and independent of http/, so
// that a fault of the client's side cannot hide behind the same fault here. Bytes in, steps
// out, in place: the head is parsed where it lies.
//
//   for (;;) {
//     ParseStep step = parser.step(bytes);
//     bytes.remove_prefix(step.consumed);
//     if (step.kind == ParseStep::Kind::kNeedMore) break;   // keep `bytes`, read more behind it
//     …
//   }
//
// Refused (RFC 9112): bare LF, obs-fold, space before the colon, control bytes, no Host or two
// of them in HTTP/1.1, lengths that differ or stand beside a Transfer-Encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace carronade::server {

// Views point into the bytes given to the step() that returned kHead.
struct RequestHead {
  std::string_view method;
  std::string_view target;
  std::string_view content_type;  // "" when absent
  int minor_version = 1;          // HTTP/1.minor
  bool keep_alive = true;         // by version and Connection
  bool expect_continue = false;
  bool has_body = false;  // kBody steps may follow and one kEnd will; else it is complete
  bool chunked = false;
  bool websocket = false;       // Upgrade names it; echo_handshake.h looks at the rest
  uint64_t content_length = 0;  // 0 when chunked or absent
};

struct ParseStep {
  enum class Kind : uint8_t {
    kNeedMore,  // what is left of the bytes is the beginning of something
    kHead,      // head() is valid until the bytes move
    kBody,      // a piece of the body
    kEnd,       // the body is complete
    kError      // no further step() until reset()
  };
  Kind kind;
  size_t consumed = 0;
  std::string_view body;    // kBody
  int status = 0;           // kError: 400, 417, 431, 501 or 505
  const char* reason = "";  // kError: for the person who reads the answer
};

class RequestParser {
 public:
  static constexpr size_t kHeadBytesMax = 64 * 1024;     // request line and headers
  static constexpr size_t kTrailerBytesMax = 64 * 1024;  // all chunk lines' trailers together
  static constexpr size_t kChunkLineBytesMax = 4096;     // size and extensions

  ParseStep step(std::string_view bytes);
  const RequestHead& head() const { return head_; }
  // Nothing of a next request has been seen: the next byte is the first of its request line.
  bool at_start() const { return state_ == State::kHead && seen_ == 0; }
  void reset() { *this = RequestParser(); }

 private:
  enum class State : uint8_t {
    kHead,
    kSizedBody,
    kChunkSize,
    kChunkExtension,
    kChunkSizeLf,
    kChunkData,
    kChunkDataCr,
    kChunkDataLf,
    kTrailerStart,
    kTrailerName,
    kTrailerValue,
    kTrailerLf,
    kLastLf,
    kFailed
  };
  struct Piece {
    size_t offset = 0;
    size_t size = 0;
  };

  ParseStep step_head(std::string_view bytes);
  ParseStep step_body(std::string_view bytes);
  ParseStep finish_head(std::string_view bytes, size_t consumed);
  bool take_request_line(std::string_view line, size_t offset);
  bool take_header(std::string_view line, size_t offset);
  bool take_known_header(std::string_view name, std::string_view value, size_t value_offset);
  bool take_length(std::string_view value);
  bool take_encoding(std::string_view value);
  bool take_connection(std::string_view value);
  // One byte of chunk framing; false when it is refused.
  bool take_framing_byte(char c);
  bool take_chunk_size_byte(char c);
  bool take_trailer_byte(char c);
  bool refuse(int status, const char* reason);
  ParseStep failure(size_t consumed) const;

  State state_ = State::kHead;
  // Head: offsets count from the first byte of the request line.
  size_t seen_ = 0;        // bytes already searched for a line end
  size_t line_start_ = 0;  // of the line that is not complete yet
  bool have_line_ = false;
  bool have_host_ = false;
  bool have_length_ = false;
  bool have_encoding_ = false;
  bool wants_close_ = false;
  bool wants_keep_alive_ = false;
  Piece method_, target_, content_type_;
  RequestHead head_;
  uint64_t left_ = 0;      // of the sized body or the chunk
  size_t line_bytes_ = 0;  // of the chunk line or of all trailers so far
  bool have_digit_ = false;
  int status_ = 0;
  const char* reason_ = "";
};

}  // namespace carronade::server
