// HOT. The response side of one HTTP/1.x connection, without I/O: bytes in, finished responses
// out. Allocates nothing but the pooled buffer that a header line split over reads needs.
//
//   H1Feed out;
//   while (!bytes.empty()) {
//     size_t used = session.feed(bytes, {.count = expected, .head = false}, pool, nullptr, out);
//     for (const H1Response& r : out.finished()) …
//     if (out.fault) …   bytes.remove_prefix(used); …
//   }
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/body_sink.h"
#include "http/h1_chunked.h"
#include "http/h1_parser.h"
#include "http/head_buffer_pool.h"
#include "http/response.h"

namespace carronade::http {

class H1Session {
 public:
  // Consumes bytes until they are used up, `expect.count` responses are finished, the batch is
  // full, a response closes the connection (close_after), or a fault is found (nothing after a
  // fault is consumed and the session must be dropped). Returns how many were consumed; `out`
  // is overwritten. Bytes left over when all expected responses are finished are the caller's
  // to refuse (kExcessBytes). With expect.count = 0 nothing is consumed. `sink` may be null
  // unless expect.lines.
  size_t feed(std::string_view bytes, H1Expect expect, HeadBufferPool& pool, BodySink* sink,
              H1Feed& out);

  // The peer closed. With a body that ends by close: that response, finished, in `out`. Else
  // `out` is empty, and mid_response() tells a truncated answer from none.
  void feed_eof(BodySink* sink, H1Feed& out);

  // Some byte of a final (or not yet known) response has arrived and it is not finished.
  bool mid_response() const;
  // Received so far of the unfinished response, for the byte counters of a run that ends.
  uint64_t partial_wire_bytes() const;
  // Bytes of the present body that are certain to come, need no parsing and interest nobody:
  // the caller may have the kernel discard up to so many (then call discarded(n)); 0 otherwise.
  uint64_t discardable() const;
  // n ≤ discardable() bytes were thrown away unseen. When they end the response it is in `out`.
  void discarded(uint64_t n, H1Feed& out);

  // Back to the state of a new connection; a held buffer returns to the pool.
  void reset(HeadBufferPool& pool);

 private:
  enum class Stage : uint8_t {
    kStatusLine,  // before or within it; empty lines before it are passed over
    kHeaderLines,
    kLengthBody,
    kChunkedBody,
    kTrailers,
    kUntilClose,
    kFailed,
  };
  // What the steps of one feed share.
  struct Feed {
    const H1Expect& expect;
    HeadBufferPool& pool;
    BodySink* sink;
    H1Feed& out;
    bool began_earlier;  // of the response in progress
  };
  // Each consumes a beginning of `bytes` and returns its size.
  size_t feed_lines(std::string_view bytes, Feed& feed);
  size_t feed_split_line(std::string_view bytes, Feed& feed);
  size_t feed_body(std::string_view bytes, Feed& feed);
  size_t feed_chunked(std::string_view bytes, Feed& feed);

  void show_line(std::string_view whole, const H1Line& shape, Feed& feed);
  void take_line(std::string_view line, const H1Line& shape, Feed& feed);
  void check_partial_line(std::string_view line, Feed& feed);
  void end_head(Feed& feed);
  void finish(Feed& feed);
  void finish(bool began_earlier, bool close_after, BodySink* sink, H1Feed& out);
  void fail(const H1Fault& fault, H1Feed& out);

  std::unique_ptr<std::string> held_;  // a line that is not all here yet, never empty; else null
  uint64_t wire_bytes_ = 0;            // of the response in progress
  uint64_t body_bytes_ = 0;
  uint64_t body_left_ = 0;  // kLengthBody
  H1Head head_;
  ChunkReader chunks_;
  uint32_t head_bytes_ = 0;  // of the complete lines of this head or trailer section
  uint8_t empty_lines_ = 0;  // before the status line
  Stage stage_ = Stage::kStatusLine;
  bool body_wanted_ = false;  // the last feed had a sink
};

}  // namespace carronade::http
