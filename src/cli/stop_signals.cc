#include "cli/stop_signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "cli/exit_codes.h"

namespace carronade::cli {

StopSignals::StopSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  CHECK(pthread_sigmask(SIG_BLOCK, &set, &old_mask_) == 0);
  signals_.reset(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  quit_.reset(::eventfd(0, EFD_CLOEXEC));
  // Without descriptors or a thread there is no orderly stop: then the signals keep their usual
  // effect.
  try {
    if (signals_.valid() && quit_.valid()) thread_ = std::thread([this] { listen(); });
  } catch (const std::system_error&) {
  }
  if (!thread_.joinable()) pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

StopSignals::~StopSignals() {
  if (!thread_.joinable()) return;
  const uint64_t one = 1;
  CHECK(::write(quit_.get(), &one, sizeof one) == sizeof one);
  thread_.join();
  // One that came in the last moment is as if it had come after the end: it must not take from the
  // program the exit code of what it has done.
  signalfd_siginfo info;
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
  }
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void StopSignals::watch(std::function<void()> stop) {
  const std::lock_guard lock(mutex_);
  stop_ = std::move(stop);
  if (stop_ && received() != 0) stop_();
}

void StopSignals::listen() {
  std::array<pollfd, 2> fds{{{signals_.get(), POLLIN, 0}, {quit_.get(), POLLIN, 0}}};
  while (true) {
    if (::poll(fds.data(), fds.size(), -1) < 0) continue;
    signalfd_siginfo info;
    if (::read(signals_.get(), &info, sizeof info) != sizeof info) {
      if (fds[1].revents != 0) return;
      continue;
    }
    const int number = static_cast<int>(info.ssi_signo);
    count_.fetch_add(1);
    if (received() != 0) {
      if (!held_.load()) ::_exit(kExitSignalBase + number);
      continue;
    }
    const std::lock_guard lock(mutex_);
    received_.store(number);
    came_.notify_all();
    if (stop_) stop_();
  }
}

bool StopSignals::wait(int64_t span_ns) {
  std::unique_lock lock(mutex_);
  return came_.wait_for(lock, std::chrono::nanoseconds(span_ns),
                        [this] { return received() != 0; });
}

}  // namespace carronade::cli
