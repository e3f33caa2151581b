// For tests and fuzz targets: drives an H1Session as a connection would and writes down what it
// found as lines of text, so that runs over differently split bytes can be compared.
//
//   response status=200 body=5 wire=43 close=no
//   fault malformed_response obs-fold: a header line begins with a space
//   excess 3             bytes after the last expected response
//   left 3               bytes after a response that closes the connection
//   eof -> response …    or `eof -> truncated`, `eof -> nothing`
//   waiting 12           bytes of an unfinished response so far; no eof
//   consumed 43          last line, unless there was a fault
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/response.h"

namespace carronade::http {

struct H1Scenario {
  std::vector<H1Expect> expects = {{.count = 1, .head = false}};
  bool eof = false;          // the peer closes after the last byte
  bool with_sink = true;     // collect the bodies
  bool use_discard = false;  // throw away what discardable() allows; only without a sink
};

struct H1Events {
  std::string log;
  std::vector<std::string> bodies;  // of the finished responses; empty without a sink
  bool operator==(const H1Events&) const = default;
};

// A line `BUG …` in the log tells that the session contradicts itself: its byte counts do not
// add up, or its sink was not told what the feed was told.
H1Events run_h1(std::span<const std::string_view> pieces, const H1Scenario& scenario);

}  // namespace carronade::http
