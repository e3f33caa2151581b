#include "net/timer.h"

#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>

#include "base/check.h"

namespace carronade::net {

namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;

void set_time(int fd, int64_t when_ns) {
  itimerspec setting{};
  setting.it_value.tv_sec = when_ns / kNsPerSecond;
  setting.it_value.tv_nsec = when_ns % kNsPerSecond;
  CHECK(timerfd_settime(fd, TFD_TIMER_ABSTIME, &setting, nullptr) == 0);
}

}  // namespace

Timer::Timer() : fd_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
  CHECK(fd_.valid());
}

// Zero would disarm it, and a negative time is past anyway.
void Timer::arm_at(int64_t when_ns) { set_time(fd_.get(), std::max<int64_t>(when_ns, 1)); }

void Timer::disarm() { set_time(fd_.get(), 0); }

void Timer::drain() const {
  uint64_t expirations;
  while (::read(fd_.get(), &expirations, sizeof expirations) < 0 && errno == EINTR) {
  }
}

}  // namespace carronade::net
