// HOT. The response head read last by a thread, and what it said. Servers repeat themselves: a
// static answer's head changes once a second with its Date. A head that is byte for byte the
// same says the same, and one comparison is cheaper than reading its lines again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/h1_parser.h"

namespace carronade::http {

class HeadCache {
 public:
  // Size of the remembered head if `bytes` begin with it, then `head` is what it says; else 0.
  size_t find(std::string_view bytes, H1Head& head) {
    if (text_.empty() || !bytes.starts_with(text_)) return 0;
    misses_ = 0;
    head = head_;
    return text_.size();
  }

  // `text` is a whole head, from its status line to its empty line. Where every head differs,
  // only each 16th is kept, so that hope costs little.
  void remember(std::string_view text, const H1Head& head) {
    if (text.size() > kMaxSize || misses_++ % kPatience != 0) return;
    text_ = text;
    head_ = head;
  }

 private:
  static constexpr size_t kMaxSize = 2048;
  static constexpr uint32_t kPatience = 16;

  std::string text_;
  H1Head head_;
  uint32_t misses_ = 0;  // since the last hit
};

}  // namespace carronade::http
