// The opening handshake of a WebSocket, as the test server answers it: RFC 6455 4.2.
#pragma once

#include <string>
#include <string_view>

#include "carronade/expected.h"
#include "server/request_parser.h"

namespace carronade::server {

// The answer that opens the WebSocket: 101 with Sec-WebSocket-Accept. `head` is a request's that
// asks for it (RequestHead::websocket), `bytes` its request line and headers as received. The
// error says what the handshake lacks. Extensions and subprotocols are declined.
Expected<std::string> answer_handshake(const RequestHead& head, std::string_view bytes);

}  // namespace carronade::server
