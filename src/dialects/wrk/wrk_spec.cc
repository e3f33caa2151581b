#include "dialects/wrk/wrk_spec.h"

#include <arpa/inet.h>

#include <utility>

#include "base/text.h"

namespace carronade::dialects::wrk {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;
// As often as wrk samples the rate.
constexpr int64_t kSampleNs = 100'000'000;

bool is_literal(const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 ||
         inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

// The thread that has connection `number`: the first `connections mod threads` have one more.
uint32_t thread_of(uint32_t number, uint32_t connections, uint32_t threads) {
  const uint32_t least = connections / threads;
  const uint32_t more = connections % threads;
  const uint32_t in_larger = more * (least + 1);
  if (number < in_larger) return number / (least + 1);
  return more + (number - in_larger) / least;
}

Target target_at(const script::SocketAddress& address, const script::ScriptSite& site,
                 const script::Script& script) {
  Target target{.url = script::address_url(address), .request = {}, .sequence = {}};
  target.url.tls = site.scheme == "https";
  // A source gives the bytes of each request itself.
  if (!script.needs_source()) target.request.verbatim = script.request();
  return target;
}

std::vector<Target> targets_of(const WrkOptions& options, const script::ScriptSite& site,
                               const script::Script& script) {
  std::vector<Target> targets;
  const auto& addresses = script.addresses();
  if (addresses.size() == 1 || script.chosen()) {
    targets.reserve(addresses.size());
    for (const auto& address : addresses) targets.push_back(target_at(address, site, script));
    return targets;
  }
  // Threads at different addresses whose source does not choose: one target a connection.
  const uint32_t connections = opened_connections(options);
  targets.reserve(connections);
  for (uint32_t i = 0; i < connections; ++i) {
    const uint32_t thread = thread_of(i, connections, static_cast<uint32_t>(options.threads));
    targets.push_back(target_at(addresses[script.target_of(thread)], site, script));
  }
  return targets;
}

}  // namespace

uint32_t opened_connections(const WrkOptions& options) {
  const uint64_t lost = options.quirks ? options.connections % options.threads : 0;
  return static_cast<uint32_t>(options.connections - lost);
}

script::ScriptSettings script_settings(const WrkOptions& options, const script::ScriptSite& site,
                                       std::vector<std::string>& warnings) {
  script::ScriptSettings settings;
  settings.facts.site = site;
  settings.facts.connect_timeout_ns = static_cast<int64_t>(options.timeout_s) * kNsPerSecond;
  for (const std::string& header : options.headers) {
    const size_t colon = header.find(':');
    const bool blank = colon != std::string::npos && header.substr(colon + 1, 1) == " ";
    if (colon == std::string::npos || colon == 0 || (options.quirks && !blank)) {
      if (!options.quirks) warnings.push_back("header \"" + header + "\" is not sent: no name");
      continue;
    }
    settings.facts.headers.push_back(
        {header.substr(0, colon), header.substr(colon + (blank ? 2 : 1))});
  }
  settings.file = options.script;
  settings.threads = static_cast<uint32_t>(options.threads);
  settings.connections = opened_connections(options);
  settings.args = options.args;
  settings.ignore_load_errors = options.quirks;
  settings.delays = !options.wrk2;
  return settings;
}

RunSpec wrk_spec(const WrkOptions& options, const script::ScriptSite& site,
                 script::Script& script) {
  RunSpec spec;
  spec.targets = targets_of(options, site, script);
  spec.connections = opened_connections(options);
  spec.workers = static_cast<uint32_t>(options.threads);
  spec.pipelining = script.pipelining();
  spec.duration_ns = static_cast<int64_t>(options.duration_s) * kNsPerSecond;
  spec.timeout_ns = static_cast<int64_t>(options.timeout_s) * kNsPerSecond;
  spec.sample_interval_ns = kSampleNs;
  // What wrk counts as a read error is one here: a request that the server closes upon.
  spec.retry_closed = false;
  if (!is_literal(site.host)) spec.tls.server_name = site.host;
  if (script.needs_source()) {
    spec.make_source = [&script](uint32_t worker, uint32_t /*workers*/) {
      return script.make_source(worker);
    };
  }
  if (options.wrk2) {
    const auto rate = static_cast<double>(options.rate.value_or(0));
    RateSegment steady{.from = rate, .to = rate, .duration_ns = *spec.duration_ns};
    spec.rate.emplace().stages.push_back({.name = "", .segments = {steady}});
    spec.rate->drain_ns = 0;  // wrk2 ends when its time is over, and divides by that time
  }
  return spec;
}

}  // namespace carronade::dialects::wrk
