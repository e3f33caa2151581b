// HOT. The chunked transfer coding (RFC 9112 7.1) up to its last chunk; the trailer section
// after that is lines like a header's and the session's matter.
#pragma once

#include <cstdint>
#include <string_view>

#include "http/response.h"

namespace carronade::http {

class ChunkReader {
 public:
  // What one step found.
  struct Step {
    size_t used = 0;                 // bytes consumed
    std::string_view data;           // of them, body bytes
    bool last = false;               // the line of the last chunk is over: trailers follow
    const H1Fault* fault = nullptr;  // static; nothing may be read after it
  };

  // Ready for the size line of a first chunk.
  void start() { *this = ChunkReader(); }

  // Consumes the beginning of `bytes` (not empty): at most the rest of one chunk's data or of
  // one chunk's framing. Extensions are skipped. Call again with the rest until `last`.
  Step step(std::string_view bytes);

  // Data bytes of the present chunk still to come: they need no parsing.
  uint64_t data_left() const { return state_ == State::kData ? left_ : 0; }
  // n ≤ data_left() of them were taken away unseen.
  void skip_data(uint64_t n);

 private:
  enum class State : uint8_t {
    kSizeStart,  // before the first digit of a size
    kSize,       // within the digits
    kSizeBlank,  // blanks after the digits
    kExtension,  // after the ';'
    kSizeLf,     // after the CR of the size line
    kData,       // left_ data bytes to come
    kDataEnd,    // before the line end after the data
    kDataLf      // after its CR
  };
  // Takes one framing byte. True when `state_` has come to kData or to the last chunk.
  bool take(char c, Step& step);
  void take_size_digit(char c, Step& step);
  bool end_size_line(Step& step);

  uint64_t left_ = 0;        // while reading a size: its value so far
  uint32_t line_bytes_ = 0;  // of the present size line
  State state_ = State::kSizeStart;
};

}  // namespace carronade::http
