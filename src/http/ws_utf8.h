// HOT. Whether bytes that come in pieces are UTF-8 (RFC 3629: no surrogates, no overlong forms,
// nothing above U+10FFFF). A sequence may be split over pieces: its state is kept, not its bytes.
#pragma once

#include <cstdint>
#include <string_view>

namespace carronade::http {

class Utf8Check {
 public:
  // False from the piece on in which a byte is met that no UTF-8 has there.
  bool feed(std::string_view piece);
  // Whether what was fed so far may end here: good, and not within a sequence.
  bool complete() const { return state_ == 0; }
  void reset() { state_ = 0; }

 private:
  uint8_t state_ = 0;
};

}  // namespace carronade::http
