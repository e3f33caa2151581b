#include "http/ws_handshake.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/text.h"
#include "http/head_fields.h"
#include "http/http_auth.h"
#include "http/quoted.h"
#include "http/request_writer.h"

namespace carronade::http {

namespace {

constexpr std::string_view kAcceptGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455 1.3
constexpr uint16_t kSwitchingProtocols = 101;
constexpr std::string_view kExtensions = "Sec-WebSocket-Extensions";
constexpr std::string_view kProtocol = "Sec-WebSocket-Protocol";

bool names(const std::vector<Header>& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const Header& header) { return base::iequals(header.name, name); });
}

// The values of all fields of this name.
std::vector<std::string_view> values_of(std::string_view head, std::string_view name) {
  std::vector<std::string_view> values;
  for (FieldCursor cursor(head); const auto field = cursor.next();) {
    if (base::iequals(field->name, name)) values.push_back(field->value);
  }
  return values;
}

// The elements of the lists in all fields of this name, without their parameters.
std::vector<std::string_view> elements_of(std::string_view head, std::string_view name) {
  std::vector<std::string_view> elements;
  for (const std::string_view value : values_of(head, name)) {
    for (const std::string_view part : base::split(value, ',')) {
      const std::string_view element = base::trim(part.substr(0, part.find(';')));
      if (!element.empty()) elements.push_back(element);
    }
  }
  return elements;
}

bool lists(std::string_view head, std::string_view name, std::string_view element) {
  const std::vector<std::string_view> all = elements_of(head, name);
  return std::any_of(all.begin(), all.end(),
                     [&](std::string_view one) { return base::iequals(one, element); });
}

// "" or the fault of an answer that chose something which was not offered.
std::string check_choice(std::string_view head, std::string_view request_head,
                         std::string_view name) {
  const std::vector<std::string_view> offered = elements_of(request_head, name);
  for (const std::string_view chosen : elements_of(head, name)) {
    if (std::find(offered.begin(), offered.end(), chosen) == offered.end()) {
      return fmt::format("{} has {}, which was not asked for", name, quoted(chosen));
    }
  }
  return "";
}

// "" when the answer with status 101 opens the connection.
std::string check_switch(std::string_view head, std::string_view request_head,
                         std::string_view key) {
  if (!lists(head, "Upgrade", "websocket")) return "101 without \"Upgrade: websocket\"";
  if (!lists(head, "Connection", "Upgrade")) return "101 without \"Connection: Upgrade\"";
  const std::vector<std::string_view> accepts = values_of(head, "Sec-WebSocket-Accept");
  if (accepts.empty()) return "101 without a Sec-WebSocket-Accept";
  if (accepts.size() > 1) return "101 with several Sec-WebSocket-Accept";
  const std::string right = base::base64(base::sha1(std::string(key).append(kAcceptGuid)));
  if (accepts.front() != right) return "Sec-WebSocket-Accept is not that of the key";
  if (std::string fault = check_choice(head, request_head, kExtensions); !fault.empty()) {
    return fault;
  }
  if (values_of(head, kProtocol).size() > 1) return "101 with several Sec-WebSocket-Protocol";
  return check_choice(head, request_head, kProtocol);
}

}  // namespace

std::string ws_key(uint64_t random_high, uint64_t random_low) {
  std::string bytes;
  for (const uint64_t half : {random_high, random_low}) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(half >> shift & 0xFF);
  }
  return base::base64(bytes);
}

Expected<std::string> write_ws_handshake(const Url& url, const Request& request,
                                         std::string_view key) {
  // No extension is spoken: the server must not agree to one. And a handshake has no body, whose
  // length the last one would announce.
  for (const std::string_view name :
       {std::string_view("Sec-WebSocket-Key"), std::string_view("Sec-WebSocket-Version"),
        kExtensions, std::string_view("Transfer-Encoding")}) {
    if (names(request.headers, name)) {
      return unexpected(fmt::format("header {} cannot be set for a WebSocket handshake", name));
    }
  }
  Request upgrade;
  upgrade.path = request.path;
  const auto add_default = [&](std::string_view name, std::string value) {
    if (!names(request.headers, name)) {
      upgrade.headers.push_back({std::string(name), std::move(value)});
    }
  };
  add_default("Host", url.host_header());
  add_default("Upgrade", "websocket");
  add_default("Connection", "Upgrade");
  add_default("Sec-WebSocket-Version", "13");
  add_default("Sec-WebSocket-Key", std::string(key));
  if (url.has_credentials) {
    add_default("Authorization", basic_authorization({url.user, url.password}));
  }
  upgrade.headers.insert(upgrade.headers.end(), request.headers.begin(), request.headers.end());
  return write_request(url, upgrade);
}

WsAnswer read_ws_answer(std::string_view head, std::string_view request_head,
                        std::string_view key) {
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  const std::string_view line = status_line(head);
  WsAnswer result;
  if (line.starts_with(kVersion)) result.status = status_of(line);
  if (result.status == 0) {
    result.fault = fmt::format("the answer is not HTTP/1.1: {}", quoted(line));
    return result;
  }
  if (result.status == kSwitchingProtocols) {
    result.fault = check_switch(head, request_head, key);
  } else {
    constexpr size_t kMostShown = 100;
    result.fault = base::printable(base::trim(line.substr(kVersion.size(), kMostShown)));
  }
  return result;
}

}  // namespace carronade::http
