#include "cli/child_keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "cli/process_tree.h"

namespace carronade::cli {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
// SIGKILL is sent again to what has shown up meanwhile, and not without end: a process in the
// kernel's hands or of another user may stay.
constexpr int64_t kKillAgain = 20 * kMillisecond;
constexpr int64_t kGiveUpAfter = 1000 * kMillisecond;

// In the new process: the program, or its errno on the pipe.
[[noreturn]] void become_program(const std::vector<std::string>& words, int failures) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // What this process ignores or blocks, the program shall not. A SIGINT that was ignored when we
  // were started, as in `carronade … &`, is how we stop it.
  for (const int number : {SIGPIPE, SIGINT, SIGCHLD}) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0) {
    ::execvp(arguments[0], arguments.data());
  }
  const int error = errno;
  (void)!::write(failures, &error, sizeof error);
  ::_exit(127);
}

void close_all_but(int fd) {
  const auto kept = static_cast<unsigned>(fd);
  if (kept > 0) ::close_range(0, kept - 1, 0);
  ::close_range(kept + 1, UINT_MAX, 0);
}

class Keeper {
 public:
  explicit Keeper(const KeeperTask& task) : task_(task), orders_(task.channel) {}

  [[noreturn]] void run() {
    prepare();
    if (const int error = start(); error != 0) {
      report(KeeperReport::kNotStarted, error);
      ::_exit(1);
    }
    report(KeeperReport::kStarted, 0);
    // Nobody waits for the end of a stream that this process alone holds open.
    close_all_but(task_.channel);
    watch_children();
    while (reap()) {
      const int64_t now_ns = base::now_ns();
      if (deadline_ns_ >= 0 && now_ns >= deadline_ns_) give_up_asking(now_ns);
      if (killing_) {
        if (now_ns >= give_up_ns_) leave();
        kill_all();
      }
      wait(now_ns);
    }
    ::_exit(0);
  }

 private:
  // What has come before is still there to be read: all signals are blocked.
  void watch_children() {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGCHLD);
    child_signals_.reset(::signalfd(-1, &only, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  // Out of the reach of the terminal and of everything else that would end it before its time.
  static void prepare() {
    sigset_t all;
    sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    std::signal(SIGCHLD, SIG_DFL);
    ::setpgid(0, 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  }

  // 0 or an errno.
  int start() {
    std::array<int, 2> failures{};
    if (::pipe2(failures.data(), O_CLOEXEC) != 0) return errno;
    program_ = ::fork();
    if (program_ < 0) return errno;
    if (program_ == 0) become_program(task_.words, failures[1]);
    ::setpgid(program_, program_);  // whoever comes first
    ::close(failures[1]);
    int error = 0;
    const ssize_t size = ::read(failures[0], &error, sizeof error);
    ::close(failures[0]);
    return size == sizeof error ? error : 0;
  }

  void report(KeeperReport::Kind kind, int value) const {
    const KeeperReport words{kind, value};
    (void)!::send(task_.channel, &words, sizeof words, MSG_NOSIGNAL);
  }

  // False when nothing is left.
  bool reap() {
    int status = 0;
    pid_t pid = 0;
    bool any = false;
    while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
      any = true;
      if (pid != program_) continue;
      program_ended_ = true;
      report(KeeperReport::kEnded, status);
    }
    // What has come to us now was out of the reach of the first signal.
    if (any && deadline_ns_ >= 0) interrupt(/*group_too=*/false);
    return pid == 0;
  }

  void interrupt(bool group_too) const {
    // The number of a group is not given away as long as it has a member.
    bool group = !program_ended_;
    for (const pid_t child : children_of(::getpid())) {
      if (::getpgid(child) == program_) {
        group = true;
      } else {
        ::kill(child, SIGINT);
      }
    }
    if (group && group_too) ::kill(-program_, SIGINT);
  }

  // The children of what is killed become our own, until there are none.
  void kill_all() const {
    if (!program_ended_) ::kill(-program_, SIGKILL);
    for (const pid_t child : children_of(::getpid())) ::kill(child, SIGKILL);
  }

  void give_up_asking(int64_t now_ns) {
    deadline_ns_ = -1;
    report(KeeperReport::kKilled, 0);
    start_killing(now_ns);
  }

  void start_killing(int64_t now_ns) {
    if (killing_) return;
    killing_ = true;
    give_up_ns_ = now_ns + kGiveUpAfter;
  }

  [[noreturn]] void leave() const {
    report(KeeperReport::kLeft, static_cast<int>(descendants_of(::getpid()).size()));
    ::_exit(1);
  }

  void wait(int64_t now_ns) {
    int timeout_ms = -1;
    if (killing_) {
      timeout_ms = static_cast<int>(kKillAgain / kMillisecond);
    } else if (deadline_ns_ >= 0) {
      const int64_t left_ns = std::max<int64_t>(deadline_ns_ - now_ns, 0);
      timeout_ms = static_cast<int>(std::min<int64_t>(left_ns / kMillisecond + 1, INT_MAX));
    }
    std::array<pollfd, 2> fds{{{orders_, POLLIN, 0}, {child_signals_.get(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), timeout_ms) < 0) return;
    if (fds[1].revents != 0) {
      signalfd_siginfo info;
      while (::read(child_signals_.get(), &info, sizeof info) > 0) {
      }
    }
    if (fds[0].revents == 0) return;
    auto order = KeeperOrder::kStop;
    if (::recv(orders_, &order, 1, 0) == 1) {
      if (killing_) return;
      if (order == KeeperOrder::kKill) give_up_asking(base::now_ns());
      if (killing_ || deadline_ns_ >= 0) return;
      deadline_ns_ = base::now_ns() + task_.kill_after_ns;
      interrupt(/*group_too=*/true);
    } else {
      orders_ = -1;
      deadline_ns_ = -1;
      start_killing(base::now_ns());
    }
  }

  const KeeperTask& task_;
  int orders_;  // -1 when there will be no more
  base::UniqueFd child_signals_;
  pid_t program_ = -1;
  bool program_ended_ = false;
  int64_t deadline_ns_ = -1;  // of SIGKILL; -1: it was not told to stop
  bool killing_ = false;
  int64_t give_up_ns_ = 0;
};

}  // namespace

void keep_child(const KeeperTask& task) { Keeper(task).run(); }

}  // namespace carronade::cli
