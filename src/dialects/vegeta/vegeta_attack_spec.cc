#include "dialects/vegeta/vegeta_attack_spec.h"

#include <sys/resource.h>

#include <algorithm>
#include <string>
#include <thread>

#include "base/limits.h"
#include "dialects/vegeta/vegeta_targets.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr double kSecond = 1e9;
// Beyond this a thread more pays, and threads that wait for due times cost.
constexpr double kRateOfOneThread = 20'000;
constexpr uint64_t kMostOnDemand = 65'536;
constexpr uint16_t kTls12 = 0x0303;

double requests_per_second(const AttackOptions& o) {
  return static_cast<double>(o.rate_count) * kSecond / static_cast<double>(o.rate_per_ns);
}

// Beyond the connections a run needs few descriptors.
uint64_t descriptors_for_connections() {
  constexpr uint64_t kOthers = 256;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) {
    return kMostOnDemand;
  }
  return std::max<uint64_t>(limit.rlim_max, 2 * kOthers) - kOthers;
}

// Where nobody set a limit: when each request took as long as it may.
uint64_t connections_needed(const AttackOptions& o) {
  const double timeout_s = static_cast<double>(o.timeout_ns) / kSecond;
  const double most_open = requests_per_second(o) * timeout_s + static_cast<double>(o.workers);
  const auto most = static_cast<double>(std::min(kMostOnDemand, descriptors_for_connections()));
  return static_cast<uint64_t>(o.timeout_ns <= 0 ? most : std::min(most_open + 1, most));
}

uint64_t connection_limit(const AttackOptions& o, const AttackHosts& hosts) {
  uint64_t limit = base::kMostConnections;
  limit = std::min(limit,
                   o.max_workers < AttackOptions::kNoLimit ? o.max_workers : connections_needed(o));
  if (o.max_connections > 0) {
    const auto of_host = std::min<uint64_t>(static_cast<uint64_t>(o.max_connections), limit);
    limit = std::min<uint64_t>(limit, of_host * hosts.size());
  }
  return std::max<uint64_t>(limit, 1);
}

Expected<TlsSpec> tls_spec(const AttackOptions& o, const AttackHosts& hosts) {
  TlsSpec tls;
  tls.verify = !o.insecure;
  tls.resume = o.session_tickets;
  tls.min_version = kTls12;
  for (const std::string& file : o.root_certificates) {
    const Expected<std::string> text = read_go_file(file);
    if (!text) return unexpected(text.error());
    if (text->find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
      return unexpected(std::string("bad certificate"));
    }
  }
  tls.ca_files = o.root_certificates;
  if (!o.certificate_file.empty()) {
    for (const std::string& file : {o.certificate_file, o.key_file}) {
      if (file.empty()) continue;
      if (const auto text = read_go_file(file); !text) return unexpected(text.error());
    }
    tls.certificate_file = o.certificate_file;
    tls.key_file = o.key_file;
  }
  Expected<std::optional<std::string>> name = hosts.server_name();
  if (!name) return unexpected(name.error());
  tls.server_name = std::move(*name);
  return tls;
}

uint32_t threads(const AttackOptions& o, int64_t cpus) {
  constexpr int64_t kMostThreads = 1024;
  if (cpus > 0) return static_cast<uint32_t>(std::min(cpus, kMostThreads));
  const bool one = o.rate_count > 0 && requests_per_second(o) <= kRateOfOneThread;
  return one ? 1 : std::clamp(std::thread::hardware_concurrency(), 1U, uint32_t{kMostThreads});
}

}  // namespace

Expected<void> check_options(const AttackOptions& o) {
  const auto refuse = [](const char* text) { return unexpected(std::string(text)); };
  if (o.rate_count == 0 && o.max_workers == AttackOptions::kNoLimit) {
    return refuse("-rate=0 requires setting -max-workers");
  }
  if (o.max_workers == 0) return refuse("-max-workers=0 would send nothing");
  if (o.h2c) return refuse("-h2c: HTTP/2 is not there yet");
  if (!o.prometheus_address.empty()) {
    return refuse("-prometheus-addr: metrics for Prometheus are not there yet");
  }
  if (!o.resolvers.empty()) {
    return refuse(
        "-resolvers: name servers of one's own are not there yet; -connect-to "
        "HOST:PORT:ADDRESS:PORT says where a host is");
  }
  return {};
}

Expected<RunSpec> attack_spec(const AttackOptions& o, const AttackHosts& hosts, int64_t cpus) {
  RunSpec spec;
  spec.targets = hosts.targets();
  auto tunnel = hosts.tunnel(o.proxy_headers);
  if (!tunnel) return unexpected(tunnel.error());
  spec.proxy = std::move(*tunnel);
  spec.unix_socket = o.unix_socket;
  if (!o.local_address.empty() && o.local_address != "0.0.0.0") {
    spec.local_addresses = {o.local_address};
  }
  spec.timeout_ns = o.timeout_ns > 0 ? o.timeout_ns : base::kLongestNs;
  const int64_t duration_ns = o.duration_ns > 0 ? o.duration_ns : base::kLongestNs;
  const auto limit = static_cast<uint32_t>(connection_limit(o, hosts));
  const auto at_first =
      static_cast<uint32_t>(std::clamp<uint64_t>(o.workers, 1, base::kMostConnections));
  if (o.rate_count == 0) {
    spec.connections = limit;
    spec.duration_ns = std::min(duration_ns, base::kLongestNs - spec.timeout_ns) + spec.timeout_ns;
  } else {
    const double rate = requests_per_second(o);
    spec.connections = std::min(at_first, limit);
    spec.duration_ns = duration_ns;
    spec.rate.emplace();
    spec.rate->stages = {{"", {{.from = rate, .to = rate}}}};
    spec.rate->max_connections = limit;
    spec.rate->connect_on_demand = true;
  }
  if (!o.keep_alive || o.idle_connections < 0) spec.reconnect_after = 1;
  spec.workers = std::min(threads(o, cpus), limit);
  auto tls = tls_spec(o, hosts);
  if (!tls) return unexpected(tls.error());
  spec.tls = std::move(*tls);
  return spec;
}

uint32_t most_connections(const RunSpec& spec) {
  return spec.rate ? std::max(spec.rate->max_connections, spec.connections) : spec.connections;
}

}  // namespace carronade::dialects::vegeta
