// Digests of bytes, mostly as lower-case hexadecimal text. MD5 is here because HTTP's Digest scheme
// asks for it, SHA-1 because a WebSocket handshake does; none is meant for secrets of our own.
#pragma once

#include <string>
#include <string_view>

namespace carronade::base {

std::string md5_hex(std::string_view bytes);     // 32 digits
std::string sha1(std::string_view bytes);        // the 20 bytes themselves
std::string sha256_hex(std::string_view bytes);  // 64 digits

}  // namespace carronade::base
