// The hosts that an attack goes to, and where connections for them are really made: by -connect-to
// or over a proxy.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carronade/run_spec.h"
#include "dialects/vegeta/vegeta_proxy.h"

namespace carronade::dialects::vegeta {

class AttackHosts {
 public:
  // "host:port", and where to connect for it instead; one with several takes them in turn.
  using ConnectTo = std::vector<std::pair<std::string, std::string>>;

  AttackHosts(Proxies proxies, ConnectTo connect_to)
      : proxies_(std::move(proxies)), connect_to_(std::move(connect_to)) {}

  // The number of the URL's host, which becomes one of the attack's. Not once the attack goes on.
  // The error: it cannot be reached in the way that was asked for.
  Expected<uint32_t> add(const Url& url);
  // Nothing when it is none of the attack's hosts.
  std::optional<uint32_t> find(const Url& url) const;

  // The proxy that a request to this URL shows; null also where it goes through a tunnel.
  const Proxy* proxy_of(const Url& url) const { return url.tls ? nullptr : proxies_.of(url); }

  size_t size() const { return places_.size(); }
  // Of the run's targets, those that are a host's.
  const std::vector<uint32_t>& places(uint32_t host) const { return places_[host]; }
  uint32_t host_of(uint32_t place) const { return host_of_place_[place]; }

  const std::vector<Target>& targets() const { return targets_; }
  // The name that TLS is to ask for and to verify, when that is not the one that is connected to.
  // The error: that would have to be several names.
  Expected<std::optional<std::string>> server_name() const;
  // What makes the tunnels to https hosts (CONNECT), with `headers`; nothing when there are none.
  // The error: other connections of this attack would have to go another way.
  Expected<std::optional<ProxySpec>> tunnel(const std::vector<Header>& headers) const;

 private:
  // Where -connect-to says to go instead; none when it says nothing.
  Expected<std::vector<Target>> moved(const Url& dialled) const;
  uint32_t place(const Url& url, std::vector<Target> targets);

  Proxies proxies_;
  ConnectTo connect_to_;
  std::map<std::string, uint32_t> numbers_;    // by scheme, name and port
  std::vector<std::vector<uint32_t>> places_;  // by the number of the host
  std::vector<uint32_t> host_of_place_;
  std::vector<Target> targets_;
  std::vector<std::string> tls_names_;  // of https hosts, each once
  bool tls_moved_ = false;              // one of them is connected to elsewhere
  std::optional<Proxy> tunnel_;         // that one of them is reached through
  std::string past_tunnel_;             // an https host that is reached without; "" for none
};

}  // namespace carronade::dialects::vegeta
