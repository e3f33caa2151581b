#include "dialects/vegeta/vegeta_attack_hosts.h"

#include <fmt/format.h>

#include <algorithm>

namespace carronade::dialects::vegeta {
namespace {

std::string key_of(const Url& url) {
  return fmt::format("{}://{}:{}", url.tls ? "https" : "http", url.host, url.port);
}

Target target_at(Url url) {
  url.target = "/";
  url.has_credentials = false;
  url.user.clear();
  url.password.clear();
  return {.url = std::move(url), .request = {}, .sequence = {}};
}

}  // namespace

Expected<uint32_t> AttackHosts::add(const Url& url) {
  if (const auto known = find(url)) return *known;
  const Proxy* const proxy = proxies_.of(url);
  if (proxy != nullptr && url.tls) {
    return unexpected(fmt::format(
        "{}: https over a proxy (HTTPS_PROXY) needs CONNECT, which is not there yet; NO_PROXY={} "
        "goes without",
        url.origin(), url.host));
  }
  const Url& dialled = proxy == nullptr ? url : proxy->url;
  const std::string address = fmt::format("{}:{}", dialled.host, dialled.port);
  std::vector<Target> targets;
  for (const auto& [from, to] : connect_to_) {
    if (from != address) continue;
    const Expected<Url> there = parse_url((dialled.tls ? "https://" : "http://") + to);
    if (!there) return unexpected("-connect-to: " + there.error().text);
    targets.push_back(target_at(*there));
  }
  if (url.tls) {
    tls_moved_ = tls_moved_ || !targets.empty();
    if (std::find(tls_names_.begin(), tls_names_.end(), url.host) == tls_names_.end()) {
      tls_names_.push_back(url.host);
    }
  }
  if (targets.empty()) targets.push_back(target_at(dialled));
  const auto number = static_cast<uint32_t>(places_.size());
  numbers_.emplace(key_of(url), number);
  places_.emplace_back();
  for (Target& target : targets) {
    places_.back().push_back(static_cast<uint32_t>(targets_.size()));
    host_of_place_.push_back(number);
    targets_.push_back(std::move(target));
  }
  return number;
}

std::optional<uint32_t> AttackHosts::find(const Url& url) const {
  const auto known = numbers_.find(key_of(url));
  if (known == numbers_.end()) return std::nullopt;
  return known->second;
}

Expected<std::optional<std::string>> AttackHosts::server_name() const {
  if (!tls_moved_) return std::optional<std::string>();
  if (tls_names_.size() > 1) {
    return unexpected(
        std::string("-connect-to with several https hosts is not there yet: all connections ask "
                    "for the same name"));
  }
  return std::optional<std::string>(tls_names_.front());
}

}  // namespace carronade::dialects::vegeta
