// HOT. What the response side of a connection hands up: passive structs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "carronade/error.h"

namespace carronade::http {

inline constexpr size_t kMaxHeaderBytes = 64 * 1024;

struct H1Response {
  uint16_t status = 0;
  bool close_after = false;  // Connection: close, HTTP/1.0 without keep-alive, body ended by close
  bool began_earlier = false;  // its first byte came with an earlier feed
  uint64_t wire_bytes = 0;     // head and body as received, skipped 1xx answers before it included
  uint64_t body_bytes = 0;     // after the transfer coding
};

// What the caller awaits next: `count` responses, to HEAD requests or not; `lines`: the sink wants
// the header lines; `http10`: to requests of HTTP/1.0, so that the server closes unless its answer
// says keep-alive, whatever the version of that (RFC 9112 9.3).
struct H1Expect {
  uint32_t count = 0;
  bool head = false;
  bool lines = false;
  bool http10 = false;
};

// A fault in the peer's bytes; `detail` is static text such as "status line is not HTTP/1.x".
struct H1Fault {
  ErrorKind kind;
  const char* detail;
};

// What one feed found. Reused by the caller from feed to feed.
struct H1Feed {
  static constexpr size_t kCapacity = 256;
  std::array<H1Response, kCapacity> responses;
  size_t count = 0;
  // The response that is unfinished after the feed, if there is one, began in it. (A 1xx answer
  // before it is not its beginning.)
  bool began_here = false;
  std::optional<H1Fault> fault;
  std::span<const H1Response> finished() const { return {responses.data(), count}; }
};

}  // namespace carronade::http
