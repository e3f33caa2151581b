// What a connection has beyond the lean path when it speaks WebSocket: messages instead of
// requests and answers.
#pragma once

#include <cstdint>
#include <string>

#include "http/ws_session.h"

namespace carronade::load {

struct WebSocket {
  http::WsSession session;
  std::string early;        // came with the handshake's answer, not looked at yet
  std::string control_out;  // pongs and the answer to a close frame: whole frames, what is unsent
  bool control_begun = false;  // the first frame of control_out has left in part
  // The socket would not take a message: a TLS record with its beginning may be under way, though
  // none of its bytes counts as sent.
  bool message_blocked = false;
  bool close_sent = false;  // after a fault: nothing follows a close frame
  // The message in progress began with nothing in flight: it answers nothing.
  bool unasked = false;
};

}  // namespace carronade::load
