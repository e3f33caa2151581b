#include "run/openings.h"

#include <sys/random.h>

#include <array>
#include <cstdint>

#include "base/check.h"
#include "base/text.h"
#include "carronade/websocket_frame.h"
#include "http/request_writer.h"
#include "http/ws_handshake.h"

namespace carronade::run {
namespace {

std::array<uint64_t, 2> random_numbers() {
  std::array<uint64_t, 2> numbers;
  CHECK(::getrandom(numbers.data(), sizeof numbers, 0) == ssize_t{sizeof numbers});
  return numbers;
}

Expected<std::string> write_connect(const Url& target, const ProxySpec& proxy) {
  const std::string host =
      target.host.find(':') == std::string::npos ? target.host : "[" + target.host + "]";
  const std::string authority = host + ":" + std::to_string(target.port);
  Request connect{.method = "CONNECT", .path = authority, .headers = {}, .body = {}};
  connect.headers = {{"Host", authority}, {"Connection", "keep-alive"}};
  bool authorized = false;
  for (const Header& header : proxy.headers) {
    connect.headers.push_back(header);
    authorized = authorized || base::iequals(header.name, "Proxy-Authorization");
  }
  if (proxy.url.has_credentials && !authorized) {
    const std::string pair = proxy.url.user + ":" + proxy.url.password;
    connect.headers.push_back({"Proxy-Authorization", "Basic " + base::base64(pair)});
  }
  Url plain;  // the target's own credentials are not the proxy's to know
  return http::write_request(plain, connect);
}

}  // namespace

Expected<load::Openings> make_openings(const RunSpec& spec, const Target& target) {
  load::Openings openings;
  if (spec.proxy && (target.url.tls || target.url.websocket)) {
    auto connect = write_connect(target.url, *spec.proxy);
    if (!connect) return unexpected(connect.error());
    openings.connect_request = std::move(*connect);
  }
  if (!target.url.websocket) return openings;
  const std::array<uint64_t, 2> random = random_numbers();
  openings.ws_key = http::ws_key(random[0], random[1]);
  auto handshake = http::write_ws_handshake(target.url, target.request, openings.ws_key);
  if (!handshake) return unexpected(handshake.error());
  openings.ws_request = std::move(*handshake);
  return openings;
}

Expected<std::string> write_block(const Target& target) {
  const Request& first = target.sequence.empty() ? target.request : target.sequence.front();
  if (!target.url.websocket) return http::write_request(target.url, first);
  std::string frame;
  append_websocket_message(frame, first.body, target.binary_message,
                           static_cast<uint32_t>(random_numbers()[0]));
  return frame;
}

void ask_all_through_proxy(RunSpec& spec) {
  if (!spec.proxy) return;
  for (Target& target : spec.targets) {
    ask_through_proxy(target.request, target.url, *spec.proxy);
    for (Request& request : target.sequence) ask_through_proxy(request, target.url, *spec.proxy);
  }
}

}  // namespace carronade::run
