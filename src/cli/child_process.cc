#include "cli/child_process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/child_keeper.h"

namespace carronade::cli {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

// Nothing at the end of the channel.
std::optional<KeeperReport> next_report(int fd) {
  KeeperReport report;
  ssize_t size = 0;
  do {
    size = ::recv(fd, &report, sizeof report, 0);
  } while (size < 0 && errno == EINTR);
  if (size != sizeof report) return std::nullopt;
  return report;
}

void wait_for(pid_t pid) {
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Expected<std::unique_ptr<ChildProcess>> ChildProcess::start(std::vector<std::string> words,
                                                            int64_t kill_after_ns) {
  CHECK(!words.empty());
  const auto failure = [&words](int error) {
    return unexpected("cannot start \"" + base::printable(words[0]) +
                      "\": " + base::errno_text(error));
  };
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    return failure(errno);
  }
  base::UniqueFd ours(pair[0]);
  base::UniqueFd theirs(pair[1]);
  const pid_t keeper = ::fork();
  if (keeper < 0) return failure(errno);
  if (keeper == 0) {
    ours.reset();  // the keeper is to see when this process closes it
    keep_child({std::move(words), kill_after_ns, theirs.get()});
  }
  theirs.reset();
  const std::optional<KeeperReport> first = next_report(ours.get());
  if (first && first->kind == KeeperReport::kStarted) {
    return std::unique_ptr<ChildProcess>(new ChildProcess(keeper, std::move(ours)));
  }
  wait_for(keeper);
  return failure(first ? first->value : ECHILD);
}

ChildProcess::~ChildProcess() { stop(); }

bool ChildProcess::wait_end(int64_t timeout_ns) {
  const int64_t deadline_ns = timeout_ns < 0 ? INT64_MAX : base::now_ns() + timeout_ns;
  while (channel_.valid()) {
    const int64_t left_ns = std::max<int64_t>(deadline_ns - base::now_ns(), 0);
    const int64_t left_ms = (left_ns + kMillisecond - 1) / kMillisecond;
    pollfd ready{channel_.get(), POLLIN, 0};
    const int timeout_ms =
        timeout_ns < 0 ? -1 : static_cast<int>(std::min<int64_t>(left_ms, INT_MAX));
    const int count = ::poll(&ready, 1, timeout_ms);
    if (count < 0) continue;  // interrupted
    if (count == 0) return false;
    const std::optional<KeeperReport> report = next_report(channel_.get());
    if (!report) {
      channel_.reset();
      wait_for(keeper_);
    } else if (report->kind == KeeperReport::kEnded) {
      status_ = report->value;
    } else if (report->kind == KeeperReport::kKilled) {
      killed_ = true;
    } else if (report->kind == KeeperReport::kLeft) {
      left_ = report->value;
    }
  }
  return true;
}

void ChildProcess::stop() {
  ask_to_stop();
  (void)wait_end(-1);
}

void ChildProcess::ask_to_stop() { order(static_cast<char>(KeeperOrder::kStop)); }

void ChildProcess::kill() { order(static_cast<char>(KeeperOrder::kKill)); }

// If the keeper is gone, so is what it kept.
void ChildProcess::order(char word) {
  if (channel_.valid()) (void)!::send(channel_.get(), &word, 1, MSG_NOSIGNAL);
}

std::string ChildProcess::how_it_ended() const {
  if (!status_) return "";
  if (WIFSIGNALED(*status_)) return "signal " + std::to_string(WTERMSIG(*status_));
  return "exit code " + std::to_string(WEXITSTATUS(*status_));
}

}  // namespace carronade::cli
