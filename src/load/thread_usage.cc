#include "load/thread_usage.h"

#include <sys/resource.h>

#include <cstdio>
#include <ctime>
#include <string>

#include "base/text.h"

namespace carronade::load {
namespace {

// /proc/thread-self/schedstat: time on a core, time waiting for one (both ns), number of turns.
int64_t run_delay_ns() {
  const Expected<std::string> text = base::read_file("/proc/thread-self/schedstat");
  long long on_core = 0;
  long long waiting = 0;
  if (!text || std::sscanf(text->c_str(), "%lld %lld", &on_core, &waiting) != 2) return -1;
  return waiting;
}

}  // namespace

ThreadUsage thread_usage() {
  ThreadUsage usage;
  timespec cpu{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu) == 0) {
    usage.cpu_ns = cpu.tv_sec * int64_t{1'000'000'000} + cpu.tv_nsec;
  }
  rusage switches{};
  if (getrusage(RUSAGE_THREAD, &switches) == 0) usage.involuntary_switches = switches.ru_nivcsw;
  usage.run_delay_ns = run_delay_ns();
  return usage;
}

}  // namespace carronade::load
