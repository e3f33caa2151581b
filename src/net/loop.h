// HOT. Waiting for many sockets on one thread, edge-triggered: a descriptor is registered once
// with all interests, and an event means "try now". A reader that got fewer bytes than it asked
// for has drained the socket; one that filled its buffer must read again later without a new
// event. All calls from the owning thread, except Wakeup's.
//
//   Loop loop;
//   for (const Loop::Event& event : loop.wait(Loop::kForever)) handle(event.token, event.ready);
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/unique_fd.h"

namespace carronade::net {

class Loop {
 public:
  static constexpr int64_t kForever = -1;
  struct Event {
    uint64_t token;
    uint32_t ready;  // EPOLLIN, EPOLLOUT, EPOLLRDHUP, EPOLLHUP, EPOLLERR
    bool readable() const { return ready & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR); }
    bool writable() const { return ready & (EPOLLOUT | EPOLLHUP | EPOLLERR); }
    // The peer will send no more: read until end of file, no further event will come.
    bool hung_up() const { return ready & (EPOLLRDHUP | EPOLLHUP | EPOLLERR); }
  };

  Loop();  // CHECKs that epoll can be had; raise the descriptor limit first
  ~Loop() = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Registers with EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET. False with errno set on failure.
  bool add(int fd, uint64_t token);
  // Level-triggered input only: for timers, wake-ups and listening sockets.
  bool add_level(int fd, uint64_t token);
  // Closing a descriptor removes it too; this is for descriptors that live on.
  void remove(int fd);

  // Waits at most timeout_ns (kForever: no limit; 0: only looks). The span is valid until the
  // next call; at most 512 events; empty after the timeout or a signal.
  std::span<const Event> wait(int64_t timeout_ns);

  // Becomes readable when wait() would return something, for a host's own loop.
  int poll_fd() const { return epoll_.get(); }

 private:
  int wait_raw(int64_t timeout_ns);

  base::UniqueFd epoll_;
  bool has_pwait2_ = true;  // nanosecond timeouts
  std::vector<epoll_event> raw_;
  std::vector<Event> events_;
};

}  // namespace carronade::net
