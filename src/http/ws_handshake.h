// The opening handshake of a WebSocket client (RFC 6455 4.1), without I/O.
#pragma once

#include <string>
#include <string_view>

#include "carronade/expected.h"
#include "carronade/request.h"
#include "carronade/url.h"

namespace carronade::http {

// Sec-WebSocket-Key: base64 of 16 bytes. The same one may serve all connections of a run: it
// proves that the answer is to a WebSocket handshake, not that it is to this one.
std::string ws_key(uint64_t random_high, uint64_t random_low);

// GET with Host, Upgrade, Connection, Sec-WebSocket-Version and -Key, Authorization from the
// URL's credentials, and the request's headers in order; a header of the user's with one of these
// names takes its place (not Key and Version, and no Extensions: an error says so). Errors as
// write_request's.
Expected<std::string> write_ws_handshake(const Url& url, const Request& request,
                                         std::string_view key);

struct WsAnswer {
  uint16_t status = 0;  // 0: no HTTP/1.1 status line
  std::string fault;    // "" when the connection is a WebSocket now; else why not, one line:
                        // "404 Not Found", "Sec-WebSocket-Accept is not that of the key"
};
// `head`: status line and header lines up to and with the empty line. An extension or a
// subprotocol that was not asked for is a fault (`request_head` is what was sent).
WsAnswer read_ws_answer(std::string_view head, std::string_view request_head, std::string_view key);

}  // namespace carronade::http
