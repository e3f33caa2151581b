#include "dialects/ab/ab_target.h"

#include <algorithm>
#include <charconv>

#include "carronade/url.h"

namespace carronade::dialects::ab {
namespace {

struct Authority {
  std::string host;
  bool bracketed = false;
  std::optional<uint16_t> port;
};

std::optional<Authority> cut_authority(std::string_view text) {
  Authority authority;
  std::string_view behind;
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    authority.host = text.substr(1, end - 1);
    authority.bracketed = true;
    behind = text.substr(end + 1);
  } else {
    // Behind the last colon: what is before it may be anything that a resolver refuses.
    const size_t colon = std::min(text.rfind(':'), text.size());
    authority.host = text.substr(0, colon);
    behind = text.substr(colon);
  }
  if (authority.host.empty()) return std::nullopt;
  if (behind.empty()) return authority;
  uint16_t port = 0;
  const char* const last = behind.data() + behind.size();
  const auto [end, error] = std::from_chars(behind.data() + 1, last, port);
  if (behind[0] != ':' || error != std::errc() || end != last || port == 0) return std::nullopt;
  authority.port = port;
  return authority;
}

// As it is looked up. A host that carronade's own URLs refuse is left to the resolver.
struct Looked {
  std::string host;
  bool is_ip = false;
};
Looked look_at(const Authority& authority) {
  const std::string shown = authority.bracketed ? "[" + authority.host + "]" : authority.host;
  const Expected<Url> url = parse_url("http://" + shown + "/");
  if (!url || url->has_credentials) return {authority.host, false};
  return {url->host, url->host_is_ip};
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

}  // namespace

std::optional<AbTarget> parse_ab_target(std::string_view text) {
  constexpr std::string_view kHttp = "http://";
  constexpr std::string_view kHttps = "https://";
  AbTarget target;
  target.written = text;
  if (text.starts_with(kHttp)) {
    text.remove_prefix(kHttp.size());
  } else if (text.starts_with(kHttps)) {
    target.tls = true;
    text.remove_prefix(kHttps.size());
  }
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<Authority> authority = cut_authority(text.substr(0, slash));
  if (!authority) return std::nullopt;
  target.path = text.substr(slash);
  target.host = authority->host;
  const Looked looked = look_at(*authority);
  target.dns_host = looked.host;
  target.host_is_ip = looked.is_ip;
  const uint16_t usual = target.tls ? 443 : 80;
  target.port = authority->port.value_or(usual);
  target.host_field = is_ascii(target.host) ? target.host : target.dns_host;
  if (authority->bracketed) target.host_field = "[" + target.host + "]";
  if (target.port != usual) target.host_field += ":" + std::to_string(target.port);
  return target;
}

std::optional<AbProxy> parse_ab_proxy(std::string_view text) {
  const std::optional<Authority> authority = cut_authority(text);
  if (!authority) return std::nullopt;
  AbProxy proxy;
  const Looked looked = look_at(*authority);
  proxy.host = looked.host;
  proxy.host_is_ip = looked.is_ip;
  proxy.port = authority->port.value_or(proxy.port);
  return proxy;
}

}  // namespace carronade::dialects::ab
