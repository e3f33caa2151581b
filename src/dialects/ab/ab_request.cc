#include "dialects/ab/ab_request.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "carronade/url.h"

namespace carronade::dialects::ab {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

bool is_field(std::string_view line, std::string_view name_and_colon) {
  return base::iequals(line.substr(0, name_and_colon.size()), name_and_colon);
}

bool any_field(const AbOptions& options, std::string_view name_and_colon) {
  return std::any_of(options.headers.begin(), options.headers.end(),
                     [&](const std::string& line) { return is_field(line, name_and_colon); });
}

// Real ab speaks TLS with the proxy itself and asks it for the whole URL, which no proxy takes.
bool tunnelled(const AbOptions& options, const AbTarget& target) {
  return target.tls && !options.proxy.empty() && !options.quirks;
}

constexpr std::string_view kForProxy = "Proxy-Authorization:";

// Only the proxy gets its credentials, with CONNECT.
ProxySpec tunnel(const AbOptions& options, const AbProxy& at) {
  ProxySpec proxy;
  proxy.url.host = at.host;
  proxy.url.host_is_ip = at.host_is_ip;
  proxy.url.port = at.port;
  proxy.url.port_written = true;
  for (const std::string& line : options.authorization) {
    if (!is_field(line, kForProxy)) continue;
    const std::string_view value = std::string_view(line).substr(kForProxy.size());
    proxy.headers.push_back({"Proxy-Authorization", std::string(base::trim(value))});
  }
  return proxy;
}

// One line for all: ab keeps the last one only.
std::string cookie_line(const AbOptions& options) {
  if (options.cookies.empty()) return "";
  std::string value = options.cookies.back();
  if (!options.quirks) {
    value = options.cookies.front();
    for (size_t i = 1; i < options.cookies.size(); ++i) value += "; " + options.cookies[i];
  }
  return "Cookie: " + value + "\r\n";
}

}  // namespace

std::string ab_request(const AbOptions& options, const AbTarget& target) {
  std::string text = options.method.empty() ? "GET" : options.method;
  text += ' ';
  const bool within_tunnel = tunnelled(options, target);
  text += options.proxy.empty() || within_tunnel ? target.path : target.written;
  text += " HTTP/1.0\r\n";
  if (options.keep_alive) text += "Connection: Keep-Alive\r\n";
  text += cookie_line(options);
  for (const std::string& line : options.authorization) {
    if (!within_tunnel || !is_field(line, kForProxy)) text += line + "\r\n";
  }
  if (options.body) {
    text += "Content-length: " + std::to_string(options.body->size()) + "\r\n";
    text += "Content-type: " + options.content_type + "\r\n";
  }
  for (const std::string& line : options.headers) text += line + "\r\n";
  if (!any_field(options, "Host:")) text += "Host: " + target.host_field + "\r\n";
  if (!any_field(options, "User-Agent:")) text += "User-Agent: ApacheBench/2.3\r\n";
  if (!any_field(options, "Accept:")) text += "Accept: */*\r\n";
  text += "\r\n";
  if (options.body) text += *options.body;
  return text;
}

std::string ab_server_name(const AbOptions& options, const AbTarget& target) {
  if (!target.tls || !options.server_name_indication) return "";
  for (auto line = options.headers.rbegin(); line != options.headers.rend(); ++line) {
    constexpr std::string_view kHost = "Host:";
    if (!is_field(*line, kHost)) continue;
    std::string value(base::trim(std::string_view(*line).substr(kHost.size())));
    // Without its port, which is no part of a name.
    const Expected<Url> url = parse_url("https://" + value + "/");
    if (!url) return value;
    return url->host_is_ip ? "" : url->host;
  }
  return target.host_is_ip ? "" : target.dns_host;
}

RunSpec ab_spec(const AbOptions& options, const AbTarget& target,
                const std::optional<AbProxy>& proxy, uint32_t processors) {
  RunSpec spec;
  const bool through_tunnel = proxy && tunnelled(options, target);
  if (through_tunnel) spec.proxy = tunnel(options, *proxy);
  const bool ask_proxy = proxy && !through_tunnel;
  Url url;
  url.tls = target.tls;
  url.host = ask_proxy ? proxy->host : target.dns_host;
  url.host_is_ip = ask_proxy ? proxy->host_is_ip : target.host_is_ip;
  url.port = ask_proxy ? proxy->port : target.port;
  url.port_written = true;
  spec.targets.push_back(
      {.url = std::move(url),
       .request = {.headers = {}, .body = {}, .verbatim = ab_request(options, target)}});
  spec.local_addresses = options.local_addresses;
  spec.socket_buffer_bytes = options.socket_buffer_bytes;
  spec.connections = options.concurrency;
  spec.workers = std::min(options.workers == 0 ? processors : options.workers, spec.connections);
  spec.amount = options.requests;
  if (options.time_limit_s) spec.duration_ns = *options.time_limit_s * kSecond;
  spec.timeout_ns = options.timeout_s * kSecond;
  spec.tls.server_name = ab_server_name(options, target);
  spec.tls.certificate_file = options.certificate_file;
  spec.tls.resume = false;  // ab makes a full handshake each time
  spec.tls.min_version = spec.tls.max_version = options.tls_version;
  constexpr uint16_t kTls13 = 0x0304;
  (options.tls_version == kTls13 ? spec.tls.ciphersuites : spec.tls.ciphers) = options.ciphers;
  return spec;
}

}  // namespace carronade::dialects::ab
