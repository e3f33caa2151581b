// Targets as requests on the wire, in the order in which Go's client writes them, and the requests
// that follow their redirects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/url.h"
#include "dialects/vegeta/vegeta_targets.h"

namespace carronade::dialects::vegeta {

// The parts of all requests of an attack that their targets do not tell.
struct RequestRules {
  std::string attack_name{};
  bool chunked = false;
  bool keep_alive = true;
};

// A proxy between us and an http host, as the requests through it show it.
struct Proxy {
  Url url;
  std::string authorization;  // value of Proxy-Authorization; "" for none
};

// One request but for its number.
struct AttackRequest {
  std::string method;
  std::string url_text;  // of the target, for the result
  std::string path;      // as in the request line
  std::string host;      // value of Host
  std::string front;     // header lines before X-Vegeta-Seq
  std::string back;      // header lines behind it, and the empty line
  Body body;             // as sent; null: none
  uint64_t bytes_out = 0;
  uint32_t origin = 0;  // which of the attack's hosts it goes to
  bool asks_gzip = false;
  bool last_on_socket = false;
};

// `origin` is left to the caller. Header fields that are not sent, since what they say follows
// from the body, are added to `dropped`.
AttackRequest make_request(const AttackTarget& target, const RequestRules& rules,
                           const Proxy* proxy, std::vector<std::string>& dropped);

void append_request(const AttackRequest& request, uint64_t seq, std::string& out);

bool is_redirect(uint16_t status);  // 301, 302, 303, 307, 308

// The request for `to` after an answer of this status to `request`, which was for `from`: a GET
// without body for all but HEAD, unless 307 and 308 keep both; without credentials at another
// host. `url_text` stays, `origin` is left to the caller.
AttackRequest redirected(const AttackRequest& request, const Url& from, const Url& to,
                         uint16_t status, const RequestRules& rules, const Proxy* proxy);

// "http://host:8080" as it is written; the host part is what stands in Host.
std::string written_host(const Url& url);

}  // namespace carronade::dialects::vegeta
