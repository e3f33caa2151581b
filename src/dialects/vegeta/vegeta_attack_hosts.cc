#include "dialects/vegeta/vegeta_attack_hosts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

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
  const Url& dialled = proxy == nullptr ? url : proxy->url;
  auto targets = moved(dialled);
  if (!targets) return unexpected(targets.error());
  const bool tunnelled = url.tls && proxy != nullptr;
  if (tunnelled) {
    tunnel_ = *proxy;
    if (!targets->empty()) tunnel_->url = targets->front().url;
    *targets = {target_at(url)};
    return place(url, std::move(*targets));
  }
  if (url.tls) {
    past_tunnel_ = url.origin();
    tls_moved_ = tls_moved_ || !targets->empty();
    if (std::find(tls_names_.begin(), tls_names_.end(), url.host) == tls_names_.end()) {
      tls_names_.push_back(url.host);
    }
  }
  if (targets->empty()) targets->push_back(target_at(dialled));
  return place(url, std::move(*targets));
}

Expected<std::vector<Target>> AttackHosts::moved(const Url& dialled) const {
  const std::string address = fmt::format("{}:{}", dialled.host, dialled.port);
  std::vector<Target> targets;
  for (const auto& [from, to] : connect_to_) {
    if (from != address) continue;
    const Expected<Url> there = parse_url((dialled.tls ? "https://" : "http://") + to);
    if (!there) return unexpected("-connect-to: " + there.error().text);
    targets.push_back(target_at(*there));
  }
  return targets;
}

uint32_t AttackHosts::place(const Url& url, std::vector<Target> targets) {
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

Expected<std::optional<ProxySpec>> AttackHosts::tunnel(const std::vector<Header>& headers) const {
  if (!tunnel_) return std::optional<ProxySpec>();
  const Url& proxy = tunnel_->url;
  std::string past = past_tunnel_;
  for (const Target& target : targets_) {
    const bool there = target.url.host == proxy.host && target.url.port == proxy.port;
    if (!target.url.tls && !there) past = target.url.origin();
  }
  if (!past.empty()) {
    return unexpected(
        fmt::format("{}: one attack goes through HTTPS_PROXY with all of its hosts, "
                    "and this one does not: attack it by itself",
                    past));
  }
  ProxySpec spec{.url = proxy, .headers = headers};
  const auto given = [&headers](std::string_view name) {
    return std::any_of(headers.begin(), headers.end(),
                       [name](const Header& header) { return base::iequals(header.name, name); });
  };
  if (!given("User-Agent")) spec.headers.push_back({"User-Agent", "Go-http-client/1.1"});
  if (!tunnel_->authorization.empty() && !given("Proxy-Authorization")) {
    spec.headers.push_back({"Proxy-Authorization", tunnel_->authorization});
  }
  return std::optional<ProxySpec>(std::move(spec));
}

}  // namespace carronade::dialects::vegeta
