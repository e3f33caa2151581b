// WebSocket messages of a client as bytes, for a RequestSource on ws:// targets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace carronade {

// Appends one unfragmented, masked frame (RFC 6455 5.2) with the message. `mask` is any number;
// RFC 6455 5.3 wants another, unpredictable one for each frame.
void append_websocket_message(std::string& out, std::string_view message, bool binary,
                              uint32_t mask);

}  // namespace carronade
