#include "run/host_watch.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>

#include "base/text.h"

namespace carronade::run {
namespace {

std::string text_of(const std::string& path) { return base::read_file(path).value_or(""); }

// What a file of our cgroup's CPU controller says, by its name in version 2 or 1; "" when there is
// none.
std::string cgroup_cpu_file(const std::string& name, const std::string& name_v1) {
  std::istringstream lines(text_of("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) return text_of("/sys/fs/cgroup" + path + "/" + name);
    if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
      return text_of("/sys/fs/cgroup/cpu" + path + "/" + name_v1);
    }
  }
  return "";
}

HostWatch::Reading read_now() {
  const std::string snmp = text_of("/proc/net/snmp");
  return {.steal_ns = steal_ns_of(text_of("/proc/stat").c_str(), sysconf(_SC_CLK_TCK)),
          .throttled_ns = throttled_ns_of(cgroup_cpu_file("cpu.stat", "cpu.stat").c_str()),
          .retransmits = snmp_value(snmp.c_str(), "Tcp:", "RetransSegs"),
          .segments_sent = snmp_value(snmp.c_str(), "Tcp:", "OutSegs")};
}

int64_t grown(int64_t before, int64_t after) {
  return before < 0 || after < before ? -1 : after - before;
}

int64_t local_ports() {
  long long low = 0;
  long long high = 0;
  const std::string range = text_of("/proc/sys/net/ipv4/ip_local_port_range");
  if (std::sscanf(range.c_str(), "%lld %lld", &low, &high) != 2) return -1;
  return high - low + 1;
}

}  // namespace

int64_t steal_ns_of(const char* proc_stat, int64_t ticks_per_second) {
  long long steal = 0;  // the eighth figure of the first line
  const char* format = "cpu %*d %*d %*d %*d %*d %*d %*d %lld";
  const bool found = std::sscanf(proc_stat, format, &steal) == 1;
  return found && ticks_per_second > 0 ? steal * (1'000'000'000 / ticks_per_second) : -1;
}

int64_t throttled_ns_of(const char* cpu_stat) {
  long long value = 0;
  if (const char* v2 = std::strstr(cpu_stat, "throttled_usec ")) {
    if (std::sscanf(v2, "throttled_usec %lld", &value) == 1) return value * 1000;
  }
  if (const char* v1 = std::strstr(cpu_stat, "throttled_time ")) {
    if (std::sscanf(v1, "throttled_time %lld", &value) == 1) return value;
  }
  return -1;
}

int64_t snmp_value(const char* text, const char* prefix, const char* name) {
  std::istringstream lines(text);
  std::string names;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(prefix, 0) != 0) continue;
    if (names.empty()) {
      names = line;
      continue;
    }
    std::istringstream columns(names);
    std::istringstream values(line);
    std::string column;
    for (std::string value; columns >> column && values >> value;) {
      int64_t number = -1;
      if (column == name) std::from_chars(value.data(), value.data() + value.size(), number);
      if (column == name) return number;
    }
    return -1;
  }
  return -1;
}

bool has_cpu_quota(const char* cpu_max) {
  long long quota_us = -1;
  return std::sscanf(cpu_max, "%lld", &quota_us) == 1 && quota_us > 0;
}

bool has_spare_cores(uint32_t threads) {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return false;
  const int64_t on_machine = sysconf(_SC_NPROCESSORS_ONLN);
  return threads <= static_cast<uint32_t>(CPU_COUNT(&cores)) && threads < on_machine &&
         !has_cpu_quota(cgroup_cpu_file("cpu.max", "cpu.cfs_quota_us").c_str());
}

void HostWatch::start() { first_ = read_now(); }

HostHealth HostWatch::finish(int64_t descriptors) const {
  const Reading last = read_now();
  HostHealth host;
  host.steal_ns = grown(first_.steal_ns, last.steal_ns);
  host.throttled_ns = grown(first_.throttled_ns, last.throttled_ns);
  host.retransmits = grown(first_.retransmits, last.retransmits);
  host.segments_sent = grown(first_.segments_sent, last.segments_sent);
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) host.cores = CPU_COUNT(&cores);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    host.descriptor_limit = static_cast<int64_t>(limit.rlim_cur);
  }
  host.descriptors = descriptors;
  host.local_ports = local_ports();
  return host;
}

}  // namespace carronade::run
