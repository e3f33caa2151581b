// HOT.
#include <cerrno>
#include <ctime>

#include "base/check.h"
#include "net/loop.h"

namespace carronade::net {

namespace {

constexpr int kEventsPerWait = 512;
constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr int64_t kNsPerMs = 1'000'000;

// Rounded up: a wait that ends early would spin. Longer than epoll's 24 days is not needed,
// because a caller asks again.
int timeout_ms(int64_t timeout_ns) {
  constexpr int64_t kLongest = 1'000'000'000;
  if (timeout_ns <= 0) return timeout_ns == 0 ? 0 : -1;
  const int64_t ms = timeout_ns / kNsPerMs + (timeout_ns % kNsPerMs != 0 ? 1 : 0);
  return static_cast<int>(ms < kLongest ? ms : kLongest);
}

bool register_fd(int epoll, int fd, uint64_t token, uint32_t interests) {
  epoll_event event{};
  event.events = interests;
  event.data.u64 = token;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

}  // namespace

Loop::Loop() : epoll_(epoll_create1(EPOLL_CLOEXEC)), raw_(kEventsPerWait), events_(kEventsPerWait) {
  CHECK(epoll_.valid());
}

bool Loop::add(int fd, uint64_t token) {
  return register_fd(epoll_.get(), fd, token, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
}

bool Loop::add_level(int fd, uint64_t token) {
  return register_fd(epoll_.get(), fd, token, EPOLLIN);
}

void Loop::remove(int fd) { epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr); }

int Loop::wait_raw(int64_t timeout_ns) {
  if (timeout_ns > 0 && has_pwait2_) {
    const timespec timeout{timeout_ns / kNsPerSecond, timeout_ns % kNsPerSecond};
    const int count = epoll_pwait2(epoll_.get(), raw_.data(), kEventsPerWait, &timeout, nullptr);
    if (count >= 0 || errno != ENOSYS) return count;
    has_pwait2_ = false;  // Linux before 5.11
  }
  return epoll_wait(epoll_.get(), raw_.data(), kEventsPerWait, timeout_ms(timeout_ns));
}

std::span<const Loop::Event> Loop::wait(int64_t timeout_ns) {
  const int count = wait_raw(timeout_ns);
  if (count < 0) {
    CHECK(errno == EINTR);
    return {};
  }
  for (int i = 0; i < count; ++i) {
    events_[i] = Event{raw_[i].data.u64, raw_[i].events};
  }
  return {events_.data(), static_cast<size_t>(count)};
}

}  // namespace carronade::net
