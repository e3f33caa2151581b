#include "run/validate_targets.h"

#include <algorithm>
#include <string>

#include "http/ws_utf8.h"

namespace carronade::run {
namespace {

bool is_utf8(std::string_view text) {
  http::Utf8Check check;
  return check.feed(text) && check.complete();
}

// "" or what is wrong with a WebSocket target.
std::string ws_fault(const RunSpec& spec, const Target& target) {
  if (!target.sequence.empty())
    return "a WebSocket connection sends one message again and again, "
           "not a sequence of requests";
  if (!target.request.verbatim.empty() || target.request.method != "GET") {
    return "a WebSocket handshake is a GET: leave out the method";
  }
  if (spec.ids || spec.templates) {
    return "ids and templates are not filled into WebSocket messages";
  }
  if (!target.binary_message && !is_utf8(target.request.body)) {
    return "the message is not UTF-8, which a text message must be: send it as a binary one";
  }
  return "";
}

std::string proxy_fault(const RunSpec& spec) {
  const Url& url = spec.proxy->url;
  if (!spec.unix_socket.empty()) return "give a proxy or a Unix socket, not both";
  if (url.tls || url.websocket) {
    return "the proxy must be an http:// URL: a connection to the proxy itself is not encrypted";
  }
  return "";
}

}  // namespace

Expected<void> validate_targets(const RunSpec& spec) {
  const auto speaks_ws = [](const Target& target) { return target.url.websocket; };
  const auto ws = std::count_if(spec.targets.begin(), spec.targets.end(), speaks_ws);
  if (ws != 0 && static_cast<size_t>(ws) != spec.targets.size()) {
    return unexpected(std::string("WebSocket and HTTP targets do not go into one run"));
  }
  std::string fault = spec.proxy ? proxy_fault(spec) : "";
  for (const Target& target : spec.targets) {
    if (fault.empty() && target.url.websocket) fault = ws_fault(spec, target);
  }
  if (!fault.empty()) return unexpected(fault);
  return {};
}

}  // namespace carronade::run
