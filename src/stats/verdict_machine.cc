#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/units.h"
#include "stats/verdict_rules.h"

namespace carronade::stats {

namespace {

using base::format_duration;
using base::format_thousands;

constexpr double kBusyShare = 0.80;  // of one core, polling left out

// Waiting for a core: of the wall time; or less of it, but much beside the time on a core, as
// when a thread that works little finds its core taken each time.
constexpr double kQueueShare = 0.05;
constexpr double kQueueShareIdle = 0.01;
constexpr double kQueueBesideCpu = 0.5;

constexpr int64_t kStallNs = 10'000'000;
constexpr int64_t kStallTimesP99 = 10;
constexpr double kStallShare = 0.001;  // of the wall time: then the p99.9 is touched

constexpr double kStealShare = 0.02;
constexpr double kRetransmitShare = 0.001;
constexpr int64_t kRetransmits = 10;
constexpr double kUsedUpShare = 0.90;

double as_double(int64_t number) { return static_cast<double>(number); }

void judge_busy(const RunResult& result, Reasons& reasons) {
  double busiest = 0;
  for (const WorkerHealth& worker : result.workers) {
    if (worker.wall_ns < kShortestWallNs) continue;
    const int64_t busy_ns = worker.cpu_ns - worker.spin_ns;
    busiest = std::max(busiest, as_double(busy_ns) / as_double(worker.wall_ns));
  }
  if (busiest <= kBusyShare) return;
  const std::string_view what =
      result.open_loop() ? "latencies may include waiting in this program; use more workers (-w) "
                           "or a lower rate"
                         : "this client may be the limit, not the server; use more workers (-w) "
                           "or another machine";
  suspect(reasons, "worker_busy",
          fmt::format("a worker thread was busy {} of the time (limit 80 %): {}",
                      percent_text(busiest, 1), what));
}

void judge_run_queue(const RunResult& result, Reasons& reasons) {
  const WorkerHealth* worst = nullptr;
  double worst_share = 0;
  for (const WorkerHealth& worker : result.workers) {
    if (worker.wall_ns < kShortestWallNs || worker.run_delay_ns < 0) continue;
    const double share = as_double(worker.run_delay_ns) / as_double(worker.wall_ns);
    const bool beside_cpu =
        as_double(worker.run_delay_ns) > kQueueBesideCpu * as_double(worker.cpu_ns);
    if (share <= (beside_cpu ? kQueueShareIdle : kQueueShare) || share <= worst_share) continue;
    worst = &worker;
    worst_share = share;
  }
  if (worst == nullptr) return;
  std::string switches;
  if (worst->involuntary_switches >= 0) {
    switches = fmt::format(", and was taken off it {} times",
                           format_thousands(static_cast<uint64_t>(worst->involuntary_switches)));
  }
  suspect(reasons, "run_queue",
          fmt::format("a worker thread waited {} ({} of the run) for a core{}: other programs "
                      "wanted it; stop them, or pin this one to a core of its own (taskset)",
                      format_duration(as_double(worst->run_delay_ns)), percent_text(worst_share, 1),
                      switches));
}

// The time in turns longer than the limit, each taken as long as its bucket says.
double time_above(const Histogram& turns, int64_t limit_ns) {
  double sum = 0;
  const int last = Histogram::bucket_index(turns.max());
  for (int i = Histogram::bucket_index(limit_ns) + 1; i <= last; ++i) {
    sum += static_cast<double>(turns.bucket(i)) * as_double(Histogram::bucket_low(i));
  }
  return sum;
}

void judge_stalls(const RunResult& result, Reasons& reasons) {
  const int64_t p99_ns = result.latency.percentile(99);
  const int64_t limit_ns =
      std::max(kStallNs, std::min(p99_ns, INT64_MAX / kStallTimesP99) * kStallTimesP99);
  uint64_t stalls = 0;
  int64_t longest_ns = 0;
  for (const WorkerHealth& worker : result.workers) {
    if (worker.wall_ns < kShortestWallNs) continue;
    if (time_above(worker.turns, limit_ns) <= kStallShare * as_double(worker.wall_ns)) continue;
    stalls += count_above(worker.turns, limit_ns);
    longest_ns = std::max(longest_ns, worker.turns.max());
  }
  if (stalls == 0) return;
  suspect(
      reasons, "own_stall",
      fmt::format("this program stood still {} longer than {}, at most {}: the slowest answers "
                  "may be its own doing; give it a core of its own",
                  stalls == 1 ? "once" : format_thousands(stalls) + " times",
                  format_duration(as_double(limit_ns)), format_duration(as_double(longest_ns))));
}

void judge_host(const RunResult& result, Reasons& reasons) {
  const HostHealth& host = result.host;
  int64_t wall_ns = result.elapsed_ns;
  for (const WorkerHealth& worker : result.workers) wall_ns = std::max(wall_ns, worker.wall_ns);
  const double core_time = as_double(wall_ns) * as_double(std::max<int64_t>(host.cores, 1));
  if (wall_ns >= kShortestWallNs && as_double(host.steal_ns) > kStealShare * core_time) {
    suspect(reasons, "steal",
            fmt::format("the hypervisor took {} of the machine's time ({} in all; limit 2 %): "
                        "measure on a machine that is not shared",
                        percent_text(as_double(host.steal_ns), core_time),
                        format_duration(as_double(host.steal_ns))));
  }
  if (host.throttled_ns > 0) {
    suspect(reasons, "throttled",
            fmt::format("the CPU quota of this container stopped it for {}: raise the quota "
                        "(cpu.max) or lower the load",
                        format_duration(as_double(host.throttled_ns))));
  }
  if (host.retransmits > kRetransmits && host.segments_sent > 0 &&
      as_double(host.retransmits) > kRetransmitShare * as_double(host.segments_sent)) {
    suspect(reasons, "retransmits",
            fmt::format("{} TCP segments of {} ({}) were sent again (limit 0.1 %): packets are "
                        "lost on the way; look at the network and the server's accept queue",
                        format_thousands(static_cast<uint64_t>(host.retransmits)),
                        format_thousands(static_cast<uint64_t>(host.segments_sent)),
                        percent_text(as_double(host.retransmits), as_double(host.segments_sent))));
  }
}

bool nearly_all(double used, int64_t of) { return of > 0 && used > kUsedUpShare * as_double(of); }

uint64_t errors_of(const RunResult& result, ErrorKind kind) {
  uint64_t count = 0;
  for (const ErrorCount& error : result.errors) count += error.kind == kind ? error.count : 0;
  return count;
}

// Towards loopback the run takes further source addresses by itself; a Unix socket has no port.
uint64_t destinations_with_ports(const RunResult& result) {
  uint64_t count = 0;
  for (const std::string& address : result.addresses) {
    if (address.starts_with("127.")) return 0;
    if (!address.starts_with('/') && !address.starts_with('@')) ++count;
  }
  return count;
}

void judge_resources(const RunResult& result, Reasons& reasons) {
  const HostHealth& host = result.host;
  if (errors_of(result, ErrorKind::kOutOfDescriptors) > 0 ||
      nearly_all(as_double(host.descriptors), host.descriptor_limit)) {
    suspect(reasons, "descriptors",
            fmt::format("{} of {} file descriptors were in use (limit 90 %): raise the limit "
                        "(ulimit -n) or lower -c",
                        format_thousands(static_cast<uint64_t>(host.descriptors)),
                        format_thousands(static_cast<uint64_t>(host.descriptor_limit))));
  }
  const uint64_t failed = errors_of(result, ErrorKind::kOutOfPorts);
  const uint64_t destinations = destinations_with_ports(result);
  const auto peak = static_cast<double>(result.connections_peak);
  if (failed > 0) {
    suspect(reasons, "local_ports",
            fmt::format("{} connections found no free local port: widen "
                        "net.ipv4.ip_local_port_range, add source addresses, or reconnect less",
                        format_thousands(failed)));
  } else if (destinations > 0 &&
             nearly_all(peak / static_cast<double>(destinations), host.local_ports)) {
    suspect(reasons, "local_ports",
            fmt::format("{} connections at once, of {} local ports a destination (limit 90 %): "
                        "widen net.ipv4.ip_local_port_range or add source addresses",
                        format_thousands(result.connections_peak),
                        format_thousands(static_cast<uint64_t>(host.local_ports))));
  }
}

}  // namespace

void judge_workers(const RunResult& result, Reasons& reasons) {
  judge_busy(result, reasons);
  judge_run_queue(result, reasons);
  judge_stalls(result, reasons);
}

void judge_machine(const RunResult& result, Reasons& reasons) {
  judge_host(result, reasons);
  judge_resources(result, reasons);
}

}  // namespace carronade::stats
