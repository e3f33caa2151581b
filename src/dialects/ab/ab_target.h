// The address that ab is told, cut up as ab does: what comes behind the host goes to the server
// byte for byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace carronade::dialects::ab {

struct AbTarget {
  bool tls = false;
  std::string written;   // the whole argument; a proxy is asked for it
  std::string host;      // without brackets, as written
  std::string dns_host;  // the same as it is looked up: an A-label where needed
  bool host_is_ip = false;
  uint16_t port = 0;
  std::string host_field;  // of the Host line
  std::string path;        // from the first slash on
};

// [http[s]://]hostname[:port]/path; a name, an IPv4 address or an IPv6 one in brackets. Nothing
// for what ab calls an invalid URL: without a slash behind the host, or with no host or port.
std::optional<AbTarget> parse_ab_target(std::string_view text);

struct AbProxy {
  std::string host;
  bool host_is_ip = false;
  uint16_t port = 80;
};

// host[:port]; nothing when it is none.
std::optional<AbProxy> parse_ab_proxy(std::string_view text);

}  // namespace carronade::dialects::ab
