// What the machine went through while a run went on: the difference of two readings of the
// kernel's own counters.
#pragma once

#include <cstdint>

#include "carronade/health.h"

namespace carronade::run {

class HostWatch {
 public:
  // Takes the first reading.
  void start();
  // Takes the second one. `descriptors`: how many the run may have had open.
  HostHealth finish(int64_t descriptors) const;

  struct Reading {
    int64_t steal_ns = -1;
    int64_t throttled_ns = -1;
    int64_t retransmits = -1;
    int64_t segments_sent = -1;
  };

 private:
  Reading first_;
};

// Whether so many of our threads may poll all the time and leave cores for others: the machine has
// more than they take, each of them has one, and no quota of the cgroup is used up by it.
bool has_spare_cores(uint32_t threads);

// The parts that read text, for tests. -1 when the figure is not in it.
int64_t steal_ns_of(const char* proc_stat, int64_t ticks_per_second);
int64_t throttled_ns_of(const char* cpu_stat);  // cgroup v2 (usec) or v1 (ns)
bool has_cpu_quota(const char* cpu_max);        // cgroup v2's cpu.max or v1's cpu.cfs_quota_us
// The number under the column `name` of the protocol `prefix` ("Tcp:") in /proc/net/snmp.
int64_t snmp_value(const char* text, const char* prefix, const char* name);

}  // namespace carronade::run
