// Several results as one (carronade/result_codec.h).
#include <algorithm>
#include <limits>

#include "base/check.h"
#include "carronade/result_codec.h"
#include "stats/result_parts.h"

namespace carronade {

namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

// 0 for a run that never began.
int64_t earliest_start(const std::vector<RunResult>& parts) {
  int64_t earliest = 0;
  for (const RunResult& part : parts) {
    const int64_t start = part.start_unix_ns;
    if (start > 0 && (earliest == 0 || start < earliest)) earliest = start;
  }
  return earliest;
}

StoppedBy stopped_by(const std::vector<RunResult>& parts) {
  const auto early = std::find_if(parts.begin(), parts.end(), [](const RunResult& part) {
    return part.stopped_by == StoppedBy::kBailout || part.stopped_by == StoppedBy::kUser;
  });
  return (early == parts.end() ? parts.front() : *early).stopped_by;
}

void unite(std::vector<std::string>& into, const std::vector<std::string>& addresses) {
  for (const std::string& address : addresses) {
    if (std::find(into.begin(), into.end(), address) == into.end()) into.push_back(address);
  }
}

// To the nearest whole window, so that a window stays whole.
int64_t rounded(int64_t offset_ns, int64_t width_ns) {
  return (offset_ns + width_ns / 2) / width_ns * width_ns;
}

bool same_stages(const std::vector<StageResult>& a, const std::vector<StageResult>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const StageResult& x, const StageResult& y) { return x.name == y.name; });
}

void add_rate(RateResult& into, const RateResult& rate, int64_t offset_ns) {
  stats::add_counters(into, rate);
  into.load_ns = std::max(into.load_ns, offset_ns + rate.load_ns);
  if (into.stages.empty() || rate.stages.empty()) {
    if (into.stages.empty()) into.stages = rate.stages;
  } else if (same_stages(into.stages, rate.stages)) {
    stats::add_stages(into.stages, rate.stages);
    for (size_t i = 0; i < rate.stages.size(); ++i) {
      into.stages[i].width_ns = std::max(into.stages[i].width_ns, rate.stages[i].width_ns);
    }
  } else {
    into.stages.clear();
  }
}

int64_t least_known(int64_t a, int64_t b) {
  if (a < 0 || b < 0) return std::max(a, b);
  return std::min(a, b);
}

// The parts may have shared a machine or a process, and counted the same things: the worst that
// one of them saw.
void add_host(HostHealth& into, const HostHealth& host) {
  into.steal_ns = std::max(into.steal_ns, host.steal_ns);
  into.throttled_ns = std::max(into.throttled_ns, host.throttled_ns);
  into.retransmits = std::max(into.retransmits, host.retransmits);
  into.segments_sent = std::max(into.segments_sent, host.segments_sent);
  into.cores = least_known(into.cores, host.cores);
  into.descriptors = std::max(into.descriptors, host.descriptors);
  into.descriptor_limit = least_known(into.descriptor_limit, host.descriptor_limit);
  into.local_ports = least_known(into.local_ports, host.local_ports);
}

void add_part(RunResult& into, const RunResult& part, int64_t start_unix_ns) {
  const int64_t offset_ns = part.start_unix_ns > 0 ? part.start_unix_ns - start_unix_ns : 0;
  stats::add_counters(into, part);
  into.elapsed_ns = std::max(into.elapsed_ns, offset_ns + part.elapsed_ns);
  unite(into.addresses, part.addresses);
  stats::add_windows(into.series, part.series, rounded(offset_ns, kSecondNs));
  if (part.sample_interval_ns == into.sample_interval_ns) {
    stats::add_windows(into.samples, part.samples, rounded(offset_ns, into.sample_interval_ns));
  }
  if (part.rate) {
    if (!into.rate) into.rate.emplace().pace = part.rate->pace;
    add_rate(*into.rate, *part.rate, offset_ns);
  }
  if (part.websocket) {
    if (!into.websocket) into.websocket.emplace();
    stats::add_counters(*into.websocket, *part.websocket);
  }
  into.workers.insert(into.workers.end(), part.workers.begin(), part.workers.end());
}

}  // namespace

RunResult merge_results(const std::vector<RunResult>& parts) {
  CHECK(!parts.empty());
  const RunResult& first = parts.front();
  if (parts.size() == 1) return first;
  RunResult result;
  result.stopped_by = stopped_by(parts);
  result.start_unix_ns = earliest_start(parts);
  result.protocol = first.protocol;
  result.tls = first.tls;
  result.sample_interval_ns = first.sample_interval_ns;
  result.host = first.host;
  stats::ErrorRows errors;
  for (const RunResult& part : parts) {
    add_part(result, part, result.start_unix_ns);
    add_host(result.host, part.host);
    errors.add(part.errors);
  }
  result.errors = std::move(errors).most_frequent_first();
  const bool comparable = std::all_of(parts.begin(), parts.end(), [&](const RunResult& part) {
    return part.sample_interval_ns == first.sample_interval_ns;
  });
  if (!comparable) result.samples.clear();
  return result;
}

}  // namespace carronade
