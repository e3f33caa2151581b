#include "dialects/vegeta/vegeta_input_wait.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/clock.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
// How soon a second signal is seen: only the first one wakes.
constexpr int kGracePollMs = 20;

bool is_regular(int fd) {
  struct stat facts {};
  return ::fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
}

}  // namespace

InputWait::InputWait()
    : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), watch_(signals_, [fd = wake_.get()] {
        const uint64_t one = 1;
        // It cannot fail but for a counter at its end, and then it wakes already.
        [[maybe_unused]] const ssize_t written = ::write(fd, &one, sizeof one);
      }) {}

void InputWait::every(int64_t interval_ns, std::function<bool()> tick) {
  interval_ns_ = interval_ns;
  next_tick_ns_ = base::now_ns() + interval_ns;
  tick_ = std::move(tick);
}

bool InputWait::stopped() {
  if (failed_) return true;
  if (signals_.received() == 0) return false;
  const int64_t now = base::now_ns();
  if (!stop_ns_) {
    stop_ns_ = from_pipe_ ? now + kGraceNs : now;
    hold_.emplace(signals_);
  }
  if (now < *stop_ns_ && signals_.count() < 2) return false;
  hold_.reset();
  return cut_short_ = true;
}

bool InputWait::tick_when_due() {
  if (!tick_) return true;
  const int64_t now = base::now_ns();
  if (now < next_tick_ns_) return true;
  // Those that were missed meanwhile would show the same again.
  next_tick_ns_ = std::max(next_tick_ns_ + interval_ns_, now);
  failed_ = !tick_();
  return !failed_;
}

int InputWait::poll_ms() const {
  if (stop_ns_) return kGracePollMs;
  if (!tick_) return -1;
  const int64_t left_ns = next_tick_ns_ - base::now_ns();
  constexpr int64_t kMostMs = 60'000;
  return static_cast<int>(std::clamp<int64_t>(left_ns / kMillisecond + 1, 0, kMostMs));
}

bool InputWait::before_read(int fd) {
  from_pipe_ = !is_regular(fd);
  while (!stopped() && tick_when_due()) {
    std::array<pollfd, 2> fds{{{fd, POLLIN, 0}, {stop_ns_ ? -1 : wake_.get(), POLLIN, 0}}};
    const bool ready = ::poll(fds.data(), 1, 0) > 0;
    if (ready) return true;
    if (idle_ && !idle_()) {
      failed_ = true;
      return false;
    }
    ::poll(fds.data(), fds.size(), poll_ms());
    if (fds[0].revents != 0) return true;
  }
  return false;
}

bool InputWait::between_results() { return !stopped() && tick_when_due(); }

}  // namespace carronade::dialects::vegeta
