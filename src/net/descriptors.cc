#include "net/descriptors.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <system_error>
#include <thread>

namespace carronade::net {
namespace {

constexpr int kFirstAfterStandardStreams = 3;

// ThreadSanitizer knows one table only, and takes descriptors of the same number for one.
#if defined(__SANITIZE_THREAD__)
constexpr bool kSeparable = false;
#elif defined(__has_feature)
constexpr bool kSeparable = !__has_feature(thread_sanitizer);
#else
constexpr bool kSeparable = true;
#endif

// Before Linux 5.9 the copies stay open until the thread ends: what others close then ends late.
void close_from_to(int first, int last) {
  if (first > last) return;
  (void)close_range(static_cast<unsigned>(first), static_cast<unsigned>(last), 0);
}

}  // namespace

uint64_t raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur < limit.rlim_max) {
    const rlimit raised{limit.rlim_max, limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return limit.rlim_cur;
}

bool can_separate_descriptors() {
  bool can = false;
  try {
    std::thread([&can] { can = separate_descriptors({}); }).join();
  } catch (const std::system_error&) {  // no thread to be had
  }
  return can;
}

bool separate_descriptors(std::vector<int> kept) {
  if (!kSeparable || unshare(CLONE_FILES) != 0) return false;
  std::sort(kept.begin(), kept.end());
  int next = kFirstAfterStandardStreams;
  for (const int fd : kept) {
    close_from_to(next, fd - 1);
    next = std::max(next, fd + 1);
  }
  close_from_to(next, INT_MAX);
  return true;
}

void close_separated_descriptors() { close_from_to(kFirstAfterStandardStreams, INT_MAX); }

}  // namespace carronade::net
