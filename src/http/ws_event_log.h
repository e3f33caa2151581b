// For tests and fuzz targets: drives a WsSession as a connection would and writes down what it
// found as lines of text, so that runs over differently split bytes can be compared. In this order:
//
//   message body=5 wire=7
//   fault malformed_frame a frame has a reserved opcode
//   closed 1000
//   left 3                bytes behind the close frame
//   waiting 12            received of a message that is not finished; no fault
//   unfinished 3          the same when no message has begun: of control frames
//   answer pong "Hello"   what the session wants sent, in order
//   answer close 1000
//   counts text=1 binary=0 pings=1 pongs=0
//   consumed 14           unless there was a fault
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/ws_frame.h"

namespace carronade::http {

struct WsEvents {
  std::string log;
  std::vector<std::string> bodies;  // of the finished messages; empty without a sink
  bool operator==(const WsEvents&) const = default;
};

// `limit`: the most messages of one feed. A line `BUG …` tells that the session contradicts itself.
WsEvents run_ws(std::span<const std::string_view> pieces, uint32_t limit, bool with_sink);

// A frame as the client sends it, read byte by byte.
struct WsClientFrame {
  WsOpcode opcode = WsOpcode::kContinuation;
  std::string payload;
};
// Cuts the first frame off; nullopt when there is no whole, final, masked one with no reserved bit.
std::optional<WsClientFrame> take_client_frame(std::string_view& bytes);

// An unmasked frame, as a server sends it; `first` has the final bit and the opcode.
std::string server_frame(uint8_t first, std::string_view payload);

}  // namespace carronade::http
