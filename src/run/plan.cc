#include "run/plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "http/request_writer.h"
#include "net/resolve.h"
#include "net/source_address.h"
#include "pace/schedule.h"
#include "pace/split.h"
#include "run/host_watch.h"
#include "run/openings.h"
#include "run/validate.h"

namespace carronade::run {
namespace {

std::string server_name(const RunSpec& spec, const Url& url) {
  if (spec.tls.server_name) {
    // A name may be written with the root's dot; on the wire it has none (RFC 6066 3).
    const std::string& name = *spec.tls.server_name;
    return name.ends_with('.') ? name.substr(0, name.size() - 1) : name;
  }
  return url.host_is_ip ? "" : url.host;
}

Expected<void> check_method(const Request& request) {
  if (http::method_of(request) != "CONNECT") return {};
  return unexpected(std::string("CONNECT asks for a tunnel, not for an answer: not supported"));
}

Expected<void> add_target(Plan& plan, const Target& target) {
  for (const Request& request : target.sequence) {
    if (auto allowed = check_method(request); !allowed) return allowed;
  }
  if (auto allowed = check_method(target.request); !allowed) return allowed;
  const bool listed = !target.sequence.empty();
  const Request& first = listed ? target.sequence.front() : target.request;
  auto bytes = write_block(target);
  if (!bytes) return unexpected(bytes.error());
  auto openings = make_openings(plan.spec, target);
  if (!openings) return unexpected(openings.error());
  const std::string sni = server_name(plan.spec, target.url);
  plan.load.targets.push_back({
      .origin = target.url.origin(),
      .addresses = {},
      .resolve_error = {},
      .sources = {},
      .block = load::WireBlock(*bytes, plan.spec.pipelining),
      .openings = std::move(*openings),
      .head = http::method_of(first) == "HEAD",
      .http10 = http::is_http10(first),
      // A message may have had an effect: only requests are sent again.
      .idempotent = !target.url.websocket && http::is_idempotent(http::method_of(first)),
      .requests_per_socket = !listed && !target.url.websocket && http::asks_to_close(first)
                                 ? 1
                                 : plan.spec.reconnect_after,
      .tls = target.url.tls ? plan.tls.get() : nullptr,
      .sni = sni,
      .verify_host = sni.empty() ? target.url.host : sni,
  });
  return {};
}

Expected<std::vector<net::Address>> find_addresses(const RunSpec& spec, const Url& url,
                                                   const std::atomic<bool>& cancel) {
  if (spec.unix_socket.empty()) return net::resolve(url.host, url.port, spec.timeout_ns, &cancel);
  return net::Address::from_unix_path(spec.unix_socket).map([](const net::Address& address) {
    return std::vector{address};
  });
}

void note_addresses(Plan& plan, const Expected<std::vector<net::Address>>& found) {
  if (!found) {
    plan.setup_errors.push_back(
        {ErrorKind::kResolveFailed, Phase::kResolve, found.error().text, 1, 0});
    return;
  }
  for (const net::Address& address : *found) plan.addresses.push_back(address.text());
}

// Where connections to the target leave from. One address has about 28,000 ports for one
// destination; on loopback more addresses are there for the taking.
std::span<const net::Address> sources_for(Plan& plan, const load::PreparedTarget& target) {
  constexpr uint64_t kPortsPerAddress = 20'000;
  if (!plan.spec.local_addresses.empty()) return plan.sources;
  const uint64_t share = most_connections(plan.spec) / plan.spec.targets.size() + 1;
  const bool loopback =
      !target.addresses.empty() &&
      std::all_of(target.addresses.begin(), target.addresses.end(), net::is_ipv4_loopback);
  if (!loopback || share <= kPortsPerAddress) return {};
  // Every such target has the same share.
  if (plan.sources.empty()) plan.sources = net::loopback_sources(share / kPortsPerAddress + 1);
  return plan.sources;
}

Expected<void> add_sources(Plan& plan) {
  constexpr size_t kChecked = 256;  // of a block: it is this machine's or not, mostly as a whole
  for (const std::string& text : plan.spec.local_addresses) {
    auto sources = net::parse_source_addresses(text);
    if (!sources) return unexpected(sources.error());
    for (size_t i = 0; i < std::min(sources->size(), kChecked); ++i) {
      if (auto good = net::check_source((*sources)[i]); !good) return unexpected(good.error());
    }
    plan.sources.insert(plan.sources.end(), sources->begin(), sources->end());
  }
  return {};
}

int64_t last_arrival_ns(const pace::RateProfile& profile, const RunSpec& spec, int64_t end_ns) {
  pace::Schedule schedule(profile, *spec.rate, {}, end_ns, spec.amount);
  int64_t last_ns = 0;
  uint64_t left = *spec.amount;
  for (; schedule.next_ns() != pace::Schedule::kOver; schedule.pop()) {
    last_ns = schedule.next_ns();
    --left;
  }
  return left == 0 ? last_ns : end_ns - 1;  // or time ends it before the amount does
}

// The schedule goes on until the first of its own end, the duration, and the amount at its rate.
load::RatePlan make_rate_plan(const RunSpec& spec) {
  pace::RateProfile profile(spec.rate->stages);
  int64_t load_ns = std::min(profile.end_ns(), spec.duration_ns.value_or(INT64_MAX));
  if (spec.amount && spec.rate->arrivals == Arrivals::kPoisson) {
    // Chance decides how long so many take.
    load_ns = std::min(load_ns, last_arrival_ns(profile, spec, load_ns) + 1);
  } else if (spec.amount) {
    load_ns = std::min(load_ns, profile.time_of(static_cast<double>(*spec.amount)));
  }
  std::vector<int64_t> starts;
  for (size_t i = 0; i < profile.stage_count(); ++i) starts.push_back(profile.stage_start_ns(i));
  return {*spec.rate, std::move(profile), std::move(starts), load_ns, spec.amount};
}

// Levels end the run with their last stage.
void set_levels(const RunSpec& spec, load::LoadPlan& load) {
  load.connection_levels.emplace(spec.connection_stages);
  const int64_t end_ns = load.connection_levels->end_ns();
  load.duration_ns = std::min(load.duration_ns.value_or(end_ns), end_ns);
}

}  // namespace

uint32_t parts_of(const RunSpec& spec) { return std::min(spec.workers, spec.connections); }

uint32_t most_connections(const RunSpec& spec) {
  return std::max(spec.connections, spec.rate ? spec.rate->max_connections : 0);
}

uint64_t most_sockets(const RunSpec& spec) {
  const bool websockets = std::any_of(spec.targets.begin(), spec.targets.end(),
                                      [](const Target& target) { return target.url.websocket; });
  const uint64_t closing = websockets && spec.reconnect_after > 0 ? 2 : 1;
  return closing * most_connections(spec);
}

Expected<std::unique_ptr<Plan>> make_plan(RunSpec spec) {
  if (auto valid = validate(spec); !valid) return unexpected(valid.error());
  auto plan = std::make_unique<Plan>();
  plan->spec = std::move(spec);
  const RunSpec& s = plan->spec;

  const auto wants_tls = [](const Target& target) { return target.url.tls; };
  if (std::any_of(s.targets.begin(), s.targets.end(), wants_tls)) {
    auto tls = net::TlsClientContext::create(s.tls);
    if (!tls) return unexpected(tls.error());
    plan->tls = std::move(*tls);
  }
  load::LoadPlan& load = plan->load;
  load.pipelining = s.pipelining;
  load.max_connection_requests = s.max_connection_requests;
  load.bailout = s.bailout;
  load.duration_ns = s.duration_ns;
  load.timeout_ns = s.timeout_ns;
  load.sample_interval_ns = s.sample_interval_ns;
  load.socket_buffer_bytes = s.socket_buffer_bytes;
  load.retry_closed = s.retry_closed;
  load.connect_counts = s.connect_counts;
  load.through_proxy = s.proxy.has_value();
  load.exclude_error_stats = s.exclude_error_stats;
  load.expect_body = s.expect_body;
  if (s.rate) {
    load.rate = make_rate_plan(s);
    load.rate->spare_cores = has_spare_cores(parts_of(s));
  }
  if (!s.connection_stages.empty()) set_levels(s, load);
  if (!s.unix_socket.empty()) {
    const auto path = net::Address::from_unix_path(s.unix_socket);
    if (!path) return unexpected(path.error());
  }
  if (auto added = add_sources(*plan); !added) return unexpected(added.error());
  ask_all_through_proxy(plan->spec);
  auto sources = load::SourcePlan::create(s);
  if (!sources) return unexpected(sources.error());
  plan->sources_of_requests = std::move(*sources);
  for (const Target& target : s.targets) {
    if (auto added = add_target(*plan, target); !added) return unexpected(added.error());
  }
  // The bytes are in the blocks now, and bodies may be large.
  for (Target& target : plan->spec.targets) {
    target.request.body = std::string();
    target.request.verbatim = std::string();
    target.sequence.clear();
  }
  return plan;
}

void resolve_targets(Plan& plan, const std::atomic<bool>& cancel) {
  if (std::exchange(plan.resolved, true)) return;
  using Found = Expected<std::vector<net::Address>>;
  std::map<std::pair<std::string, uint16_t>, Found> known;
  const ProxySpec* const proxy = plan.spec.proxy ? &*plan.spec.proxy : nullptr;
  for (size_t i = 0; i < plan.load.targets.size(); ++i) {
    const Url& url = proxy != nullptr ? proxy->url : plan.spec.targets[i].url;
    const std::string& path = plan.spec.unix_socket;
    const auto key = path.empty() ? std::pair(url.host, url.port) : std::pair(path, uint16_t{0});
    auto entry = known.find(key);
    if (entry == known.end()) {
      entry = known.emplace(key, find_addresses(plan.spec, url, cancel)).first;
      note_addresses(plan, entry->second);
    }
    const Found& found = entry->second;
    if (found) plan.load.targets[i].addresses = *found;
    plan.load.targets[i].sources = sources_for(plan, plan.load.targets[i]);
    plan.resolve_error.push_back(found ? "" : found.error().text);
    plan.load.targets[i].resolve_error = plan.resolve_error.back();
  }
}

// The amount of a closed loop is cut by connection, not by worker: a quota per connection then
// fits each share, and a connection that has nowhere to go gets none.
void split(Plan& plan, bool any_target) {
  const RunSpec& s = plan.spec;
  const uint64_t parts = parts_of(s);
  const uint64_t slots = most_connections(s);
  const auto reachable_before = [&plan, any_target](uint64_t slot) {
    if (any_target) return slot;
    uint64_t count = 0;
    const uint64_t targets = plan.load.targets.size();
    for (uint64_t i = 0; i < targets; ++i) {
      if (!plan.load.targets[i].addresses.empty()) count += pace::part_of(slot, targets, i);
    }
    return count;
  };
  const uint64_t reachable = reachable_before(slots);
  for (uint64_t i = 0; i < parts; ++i) {
    load::WorkerPlan part;
    part.run = &plan.load;
    part.index = static_cast<uint32_t>(i);
    part.parts = static_cast<uint32_t>(parts);
    part.first_slot = static_cast<uint32_t>(pace::parts_before(slots, parts, i));
    part.connections = static_cast<uint32_t>(pace::part_of(slots, parts, i));
    // Later as many as its levels say, or as requests are due.
    const bool later = !s.connection_stages.empty() || (s.rate && s.rate->connect_on_demand);
    const uint64_t first = later ? 0 : pace::part_of(s.connections, parts, i);
    part.connections_later = part.connections - static_cast<uint32_t>(first);
    if (s.amount && !s.rate) {
      const uint64_t begin = reachable_before(part.first_slot);
      const uint64_t end = reachable_before(part.first_slot + part.connections);
      part.amount = pace::parts_before(*s.amount, reachable, end) -
                    pace::parts_before(*s.amount, reachable, begin);
    }
    part.capture_exchange = s.capture_exchange && i == 0;
    plan.workers.push_back(part);
  }
}

}  // namespace carronade::run
