#include "dialects/loadtest/loadtest_spec.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/limits.h"

namespace carronade::dialects::loadtest {
namespace {

constexpr double kSecond = 1e9;

// Beyond the connections a run needs few descriptors.
uint64_t most_on_demand() {
  constexpr uint64_t kMost = 65'536;
  constexpr uint64_t kOthers = 256;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return kMost;
  return std::clamp<uint64_t>(limit.rlim_max, 2 * kOthers, kMost) - kOthers;
}

// Connections that a rate can need: as if no request were answered before it is given up.
uint32_t connections_on_demand(const LoadtestSettings& settings) {
  constexpr double kSlack = 2;
  const double rate = *settings.requests_per_second;
  double needed = rate * static_cast<double>(settings.timeout_ns) / kSecond + kSlack;
  if (settings.max_seconds) needed = std::min(needed, rate * *settings.max_seconds + kSlack);
  if (settings.max_requests) {
    needed = std::min(needed, static_cast<double>(*settings.max_requests));
  }
  const auto most = static_cast<double>(most_on_demand());
  return static_cast<uint32_t>(std::clamp(needed, 1.0, most));
}

// How long answers are awaited behind the last due request: until -t is over.
int64_t drain_ns(const LoadtestSettings& settings) {
  double left_s = 0;
  if (settings.max_requests) {
    const double load_s =
        static_cast<double>(*settings.max_requests) / *settings.requests_per_second;
    left_s = std::max(*settings.max_seconds - load_s, 0.0);
  }
  return static_cast<int64_t>(left_s * kSecond);
}

void set_rate(const LoadtestSettings& settings, RunSpec& spec) {
  const double rate = *settings.requests_per_second;
  const uint32_t most = connections_on_demand(settings);
  spec.workers = std::min(spec.workers, most);
  spec.connections = spec.workers;
  spec.rate.emplace();
  spec.rate->stages = {{"", {{.from = rate, .to = rate}}}};
  spec.rate->max_connections = std::max(most, spec.connections);
  spec.rate->connect_on_demand = true;
  if (settings.max_seconds) spec.rate->drain_ns = drain_ns(settings);
}

}  // namespace

RunSpec make_loadtest_spec(const LoadtestSettings& settings) {
  constexpr uint64_t kMostWorkers = 1024;
  RunSpec spec;
  spec.targets = {{.url = settings.url, .request = settings.request}};
  spec.tls = settings.tls;
  spec.proxy = settings.proxy;
  spec.timeout_ns = settings.timeout_ns;
  spec.amount = settings.max_requests;
  if (settings.max_seconds) {
    spec.duration_ns = std::max<int64_t>(std::llround(*settings.max_seconds * kSecond), 1);
  }
  spec.workers = static_cast<uint32_t>(std::min(settings.cores, kMostWorkers));
  // Too many are refused with the other limits of a run.
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  const bool too_many = settings.concurrency > kMost / spec.workers;
  spec.connections = static_cast<uint32_t>(too_many ? kMost : settings.concurrency * spec.workers);
  if (!settings.keep_alive && !settings.tcp && !settings.url.websocket) spec.reconnect_after = 1;
  // Its user waits for the connection too. A WebSocket's handshake comes before its messages.
  spec.connect_counts = !settings.url.websocket;
  if (settings.requests_per_second) set_rate(settings, spec);
  return spec;
}

}  // namespace carronade::dialects::loadtest
