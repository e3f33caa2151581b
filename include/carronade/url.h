// An http, https, ws or wss URL, cut into the parts that a load generator needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade {

struct Url {
  bool tls = false;         // https, wss
  bool websocket = false;   // ws, wss
  std::string host;         // as resolved: ASCII (A-label) name or IP literal without brackets
  bool host_is_ip = false;  // IPv4 or IPv6 literal
  uint16_t port = 0;        // never 0 after parse_url: 80 or 443 when not written
  bool port_written = false;
  std::string target = "/";  // path and query, as sent in the request line; never empty
  std::string user;          // percent-decoded; both empty when there were no credentials
  std::string password;
  bool has_credentials = false;

  // Value of the Host header: IPv6 in brackets, port only when it is not the scheme's default.
  std::string host_header() const;
  // scheme://host[:port], for messages and grouping.
  std::string origin() const;
};

// Which schemes a front end takes.
enum class Schemes : uint8_t { kHttp, kHttpAndWebSocket };

// Parses an absolute http(s) URL, or also a ws(s) one. Scheme and host in any case; `user:pass@`;
// `[::1]:80`; an internationalised name becomes its A-label (IDNA 2008, libidn2). The fragment is
// dropped.
// Bytes that may not stand in a request line (space, control, non-ASCII) are percent-encoded;
// existing percent-escapes are kept as they are. An error names the text and the fault.
Expected<Url> parse_url(std::string_view text, Schemes schemes = Schemes::kHttp);

}  // namespace carronade
