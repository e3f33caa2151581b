#include "server/echo_handshake.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "base/digest.h"
#include "base/text.h"

namespace carronade::server {
namespace {

constexpr std::string_view kMagic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

// The values of all header lines with this name; the parser has seen that lines are well-formed.
std::vector<std::string_view> values_of(std::string_view head, std::string_view name) {
  std::vector<std::string_view> values;
  for (const std::string_view line : base::split(head, '\n')) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || !base::iequals(line.substr(0, colon), name)) continue;
    values.push_back(base::trim(line.substr(colon + 1)));
  }
  return values;
}

bool names_upgrade(std::string_view head) {
  for (const std::string_view value : values_of(head, "Connection")) {
    for (const std::string_view option : base::split(value, ',')) {
      if (base::iequals(base::trim(option), "upgrade")) return true;
    }
  }
  return false;
}

// Base64 of 16 bytes: 22 digits, of which the last has only four bits free to be zero, and "==".
bool is_key(std::string_view key) {
  if (key.size() != 24 || !key.ends_with("==")) return false;
  for (const char c : key.substr(0, 22)) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '+' && c != '/') return false;
  }
  return std::string_view("AQgw").find(key[21]) != std::string_view::npos;
}

}  // namespace

Expected<std::string> answer_handshake(const RequestHead& head, std::string_view bytes) {
  if (head.method != "GET") return unexpected("a WebSocket handshake is a GET");
  if (head.has_body) return unexpected("a WebSocket handshake has no body");
  if (!names_upgrade(bytes)) return unexpected("Upgrade without Connection: Upgrade");
  const auto versions = values_of(bytes, "Sec-WebSocket-Version");
  if (versions.size() != 1 || versions[0] != "13") {
    return unexpected("Sec-WebSocket-Version is not 13");
  }
  const auto keys = values_of(bytes, "Sec-WebSocket-Key");
  if (keys.size() != 1 || !is_key(keys[0])) {
    return unexpected("Sec-WebSocket-Key is not the base64 of 16 bytes");
  }
  return fmt::format(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: {}\r\n\r\n",
      base::base64(base::sha1(fmt::format("{}{}", keys[0], kMagic))));
}

}  // namespace carronade::server
