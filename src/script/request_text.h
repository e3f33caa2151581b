// HOT. Where one request ends and the next begins in a text that a script made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace carronade::script {

enum class CutFault : uint8_t { kNone, kIncomplete, kMalformed };

// The first request of a text: text[begin, end).
struct RequestCut {
  CutFault fault = CutFault::kNone;
  size_t begin = 0;             // empty lines before it are left out
  size_t end = 0;               // with a fault: where that is
  bool last_on_socket = false;  // it says `Connection: close`, or is HTTP/1.0 without keep-alive
  bool none() const { return begin == end; }  // nothing but empty lines
};

// Where text goes on behind the empty lines at `at`.
size_t skip_empty_lines(std::string_view text, size_t at);

// The body's length comes from Content-Length or from the chunks of `Transfer-Encoding: chunked`.
RequestCut cut_request(std::string_view text);

}  // namespace carronade::script
