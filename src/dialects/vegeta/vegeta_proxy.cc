#include "dialects/vegeta/vegeta_proxy.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace carronade::dialects::vegeta {
namespace {

std::string either(const Proxies::Environment& environment, const std::string& name) {
  const std::string value = environment(name);
  return value.empty() ? environment(base::to_lower(name)) : value;
}

Expected<std::optional<Proxy>> proxy_from(const Proxies::Environment& environment,
                                          const std::string& name) {
  std::string text = either(environment, name);
  if (text.empty()) return std::optional<Proxy>();
  if (text.find("://") == std::string::npos) text = "http://" + text;
  const Expected<Url> url = parse_url(text);
  if (!url) return unexpected(name + ": " + url.error().text);
  Proxy proxy{.url = *url, .authorization = ""};
  if (url->has_credentials) {
    proxy.authorization = "Basic " + base::base64(url->user + ":" + url->password);
  }
  return std::optional<Proxy>(std::move(proxy));
}

// An address as its bytes; empty for what is none.
std::string address_bytes(const std::string& text) {
  std::array<char, sizeof(in6_addr)> bytes{};
  if (inet_pton(AF_INET, text.c_str(), bytes.data()) == 1) return {bytes.data(), sizeof(in_addr)};
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return {bytes.data(), bytes.size()};
  return "";
}

bool is_loopback(const Url& url) {
  if (url.host == "localhost") return true;
  const std::string bytes = address_bytes(url.host);
  if (bytes.size() == sizeof(in_addr)) return bytes[0] == 127;
  return bytes == std::string(15, '\0') + '\1';
}

bool in_block(const std::string& host, std::string_view block) {
  const size_t slash = block.find('/');
  const std::string network = address_bytes(std::string(block.substr(0, slash)));
  const std::string address = address_bytes(host);
  if (network.empty() || network.size() != address.size()) return false;
  size_t bits = 0;
  const std::string_view length = block.substr(slash + 1);
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bits);
  if (error != std::errc() || bits > network.size() * 8) return false;
  for (size_t i = 0; i < bits; ++i) {
    const int mask = 0x80 >> (i % 8);
    if (((network[i / 8] ^ address[i / 8]) & mask) != 0) return false;
  }
  return true;
}

}  // namespace

Expected<Proxies> Proxies::from(const Environment& environment) {
  Proxies proxies;
  // A web server hands a request's "Proxy:" header to its programs by this name.
  if (environment("REQUEST_METHOD").empty()) {
    auto http = proxy_from(environment, "HTTP_PROXY");
    if (!http) return unexpected(http.error());
    proxies.http_ = std::move(*http);
  }
  auto https = proxy_from(environment, "HTTPS_PROXY");
  if (!https) return unexpected(https.error());
  proxies.https_ = std::move(*https);
  const std::string without = either(environment, "NO_PROXY");
  for (const std::string_view entry : base::split(without, ',')) {
    const std::string text = base::to_lower(base::trim(entry));
    if (!text.empty()) proxies.without_.push_back(text);
  }
  return proxies;
}

bool Proxies::passed_over(const Url& url) const {
  if (is_loopback(url)) return true;
  const std::string port = ":" + std::to_string(url.port);
  return std::any_of(without_.begin(), without_.end(), [&](std::string entry) {
    if (entry == "*") return true;
    if (entry.find('/') != std::string::npos) return in_block(url.host, entry);
    if (entry.ends_with(port) && std::count(entry.begin(), entry.end(), ':') == 1) {
      entry.resize(entry.size() - port.size());
    }
    if (url.host == entry) return true;
    if (url.host_is_ip) return false;
    if (entry.starts_with("*.")) entry.erase(0, 1);
    return url.host.ends_with(entry.starts_with('.') ? entry : "." + entry);
  });
}

const Proxy* Proxies::of(const Url& url) const {
  const std::optional<Proxy>& proxy = url.tls ? https_ : http_;
  return proxy && !passed_over(url) ? &*proxy : nullptr;
}

}  // namespace carronade::dialects::vegeta
