// What a run on ws:// or wss:// targets found beside its round trips. A round trip is a "request"
// in RunResult: sent with its message's first byte, answered by the next message of the server,
// and counted under status 0, since messages have none.
#pragma once

#include <cstdint>
#include <map>

namespace carronade {

struct WebSocketResult {
  uint64_t handshakes_tried = 0;   // upgrade requests sent
  uint64_t handshakes_opened = 0;  // answered by 101 with the right Sec-WebSocket-Accept
  // Answers to the upgrade other than 101, by status; other failures are in RunResult::errors
  // (Phase::kUpgrade). tried = opened + refused + those errors + those open when the run ended.
  std::map<uint16_t, uint64_t> refused_by_status;

  uint64_t text_messages = 0;     // received, whole
  uint64_t binary_messages = 0;   // received, whole
  uint64_t unasked_messages = 0;  // of both: came with nothing in flight
  // Received. Each was answered; to a server that does not read what is sent only the latest.
  uint64_t pings = 0;
  uint64_t pongs = 0;  // received
  // Close frames received, by code; 1005: it had none (RFC 6455 7.1.5). Those that answer our own
  // included: at the end of the run, and throughout with a limit of requests for a connection.
  std::map<uint16_t, uint64_t> closes_by_code;
};

}  // namespace carronade
