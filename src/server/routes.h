// What a request's path orders for this one answer. Segments combine in any order:
// /delay/20ms/status/503, /bytes/1MiB/chunked. A path with an unknown segment is an ordinary
// page: it orders nothing.
#pragma once

#include <cstdint>
#include <string_view>

namespace carronade::server {

struct Route {
  enum class Kind : uint8_t {
    kPage,      // a body of the server's making
    kEcho,      // /echo: the request's body
    kStats,     // /stats, alone
    kArrivals,  // /stats/arrivals, alone
    kBad        // an argument cannot be understood: 400 with `problem`
  };
  Kind kind = Kind::kPage;
  bool chunked = false;     // /chunked, /chunked/N
  bool close = false;       // /close
  int status = 0;           // /status/503; 0: as the server's options say
  int64_t delay_ns = -1;    // /delay/20ms; -1: likewise
  int64_t body_bytes = -1;  // /bytes/N, /chunked/N; -1: likewise
  const char* problem = "";

  // About the server: not counted as a request.
  bool is_stats() const { return kind == Kind::kStats || kind == Kind::kArrivals; }
};

// `target` as in the request line: the query is ignored, and of an absolute URL the origin too.
Route parse_route(std::string_view target);

}  // namespace carronade::server
