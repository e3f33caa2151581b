// HOT. What an answer looks like, as a few numbers and as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/server_spec.h"

namespace carronade::server {

// The body that an answer has when nothing orders another.
inline constexpr std::string_view kDefaultBody = "Hello from carronade!\n";

// Everything that the bytes of a made-up answer follow from.
struct AnswerShape {
  enum class Framing : uint8_t {
    kLength,
    kChunked,
    kUntilClose  // what chunked becomes for HTTP/1.0
  };
  enum class Persistence : uint8_t {
    kSilent,     // stays open, as is usual in HTTP/1.1
    kKeepAlive,  // says so, for HTTP/1.0
    kClose
  };
  enum class Body : uint8_t {
    kPage,       // BodySource::page
    kErrorPage,  // BodySource::error_page
    kPattern     // body_bytes of BodySource's pattern
  };
  uint64_t body_bytes = kDefaultBody.size();
  Body body = Body::kPage;
  bool head_only = false;  // the request was HEAD
  Framing framing = Framing::kLength;
  Persistence persistence = Persistence::kSilent;
  int status = 200;

  // 204 and 304 never have a body; a HEAD request's answer has none either.
  bool has_body() const { return !head_only && status != 204 && status != 304; }
};

// Bodies come from here, shared by all: the page, and for long ones a pattern of 64-byte lines,
// plain and in chunks. Const after construction.
class BodySource {
 public:
  static constexpr size_t kPatternBytes = 64;
  static constexpr size_t kChunkBytes = 16 * 1024;
  // With a page that is ordered, it and its error page; else kDefaultBody is both.
  explicit BodySource(const std::optional<FixedPage>& page = std::nullopt);

  // What a shape's whole body is, or for kPattern cyclically.
  std::string_view of(AnswerShape::Body body) const {
    if (body == AnswerShape::Body::kPattern) return plain_;
    return body == AnswerShape::Body::kPage ? page_ : error_page_;
  }
  std::string_view content_type() const { return content_type_; }  // of pages; "": none

  // Cyclic: byte i of a plain body is plain()[i % plain().size()]; chunk k of a chunked body lies
  // at k · framed_chunk_bytes(), also cyclic.
  std::string_view plain() const { return plain_; }
  std::string_view framed() const { return framed_; }
  size_t framed_chunk_bytes() const { return framed_chunk_bytes_; }

 private:
  std::string plain_;
  std::string framed_;
  size_t framed_chunk_bytes_ = 0;
  std::string page_;
  std::string error_page_;
  std::string_view content_type_;
};

// Appends the status line and the header block; no Content-Type for "".
void append_head(const AnswerShape& shape, std::string_view content_type, std::string& out);
// Appends `bytes` as up to four chunks, and the last chunk. For bodies up to kChunkBytes.
void append_chunked(std::string_view bytes, std::string& out);
// A complete answer with this body and its Content-Length.
std::string text_answer(AnswerShape shape, std::string_view content_type, std::string_view body);

// An answer that cannot leave at once.
struct Answer {
  enum class Kind : uint8_t {
    kShaped,   // `shape` says all
    kBytes,    // `bytes` are the whole answer, shape.status is counted
    kAside,    // `bytes` are a 1xx answer or a WebSocket's control frame: not counted
    kRefusal,  // `bytes` answer a malformed request: counted by status, not as served
    kOpening,  // `bytes` answer a WebSocket handshake, likewise
    kMessage,  // `bytes` are a WebSocket message: counted as served, without a status
    kStats,    // the counters at the moment of sending
    kArrivals  // when requests arrived, likewise
  };
  Kind kind = Kind::kShaped;
  int64_t due_ns = 0;  // 0: as soon as its turn comes
  AnswerShape shape;
  std::string bytes;
};

// First in, first out; keeps its memory while it is in use.
class AnswerQueue {
 public:
  bool empty() const { return first_ == answers_.size(); }
  size_t size() const { return answers_.size() - first_; }
  Answer& front() { return answers_[first_]; }
  const Answer& front() const { return answers_[first_]; }
  size_t bytes() const { return bytes_; }  // of all Answer::bytes
  void push(Answer answer);
  void pop();

 private:
  std::vector<Answer> answers_;
  size_t first_ = 0;
  size_t bytes_ = 0;
};

}  // namespace carronade::server
