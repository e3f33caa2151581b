#include "cli/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "base/clock.h"
#include "base/text.h"
#include "cli/process_tree.h"

namespace carronade::cli {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kLong = 20 * kSecond;

std::unique_ptr<ChildProcess> start_shell(const std::string& script, int64_t kill_after_ns) {
  auto child = ChildProcess::start({"sh", "-c", script}, kill_after_ns);
  EXPECT_TRUE(child) << child.error().text;
  return child ? std::move(*child) : nullptr;
}

template <class Holds>
bool wait_until(Holds holds) {
  const int64_t end_ns = base::now_ns() + kLong;
  while (base::now_ns() < end_ns) {
    if (holds()) return true;
    ::usleep(2'000);
  }
  return false;
}

// Not there, or ended and not reaped by whoever has to.
bool is_gone(pid_t pid) {
  const auto stat = base::read_file("/proc/" + std::to_string(pid) + "/stat");
  return !stat || stat->find(") Z ") != std::string::npos;
}

bool all_gone(const std::vector<pid_t>& pids) {
  return std::all_of(pids.begin(), pids.end(), is_gone);
}

TEST(ChildProcess, MissingProgram) {
  const auto child = ChildProcess::start({"no-such-program", "x"});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().text, "cannot start \"no-such-program\": No such file or directory");
  const auto folder = ChildProcess::start({"/tmp"});
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().text, "cannot start \"/tmp\": Permission denied");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // no child of ours is left
}

TEST(ChildProcess, TellsHowItEnded) {
  const auto three = start_shell("exit 3", kLong);
  ASSERT_TRUE(three->wait_end(kLong));
  EXPECT_EQ(three->how_it_ended(), "exit code 3");
  const auto killed = start_shell("kill -KILL $$", kLong);
  ASSERT_TRUE(killed->wait_end(kLong));
  EXPECT_EQ(killed->how_it_ended(), "signal 9");
  killed->stop();
  EXPECT_FALSE(killed->killed());
}

TEST(ChildProcess, ReadsNothingAndGetsNoDescriptorOfOurs) {
  int inherited = 1;  // the one that ls itself reads the folder by
  for (int fd = 0; fd < 1024; ++fd) {
    const int flags = ::fcntl(fd, F_GETFD);
    inherited += flags >= 0 && (flags & FD_CLOEXEC) == 0 ? 1 : 0;
  }
  auto child = ChildProcess::start({"sh", "-c",
                                    "read line && exit 1; "
                                    "test $(ls /proc/self/fd | wc -l) = \"$0\"",
                                    std::to_string(inherited)});
  ASSERT_TRUE(child) << child.error().text;
  ASSERT_TRUE((*child)->wait_end(kLong));
  EXPECT_EQ((*child)->how_it_ended(), "exit code 0");
}

TEST(ChildProcess, StopInterrupts) {
  const auto child = start_shell("trap 'exit 7' INT; while :; do sleep 0.01; done", kLong);
  ::usleep(100'000);  // the trap is set
  EXPECT_FALSE(child->wait_end(0));
  EXPECT_EQ(child->how_it_ended(), "");
  child->stop();
  EXPECT_EQ(child->how_it_ended(), "exit code 7");
  EXPECT_FALSE(child->killed());
  EXPECT_EQ(child->left_count(), 0);
}

TEST(ChildProcess, StopKillsWhatIgnoresSigint) {
  const auto child = start_shell("trap '' INT; sleep 1000 & sleep 1001; :", 50 * kMillisecond);
  ASSERT_TRUE(wait_until([&] { return descendants_of(child->root()).size() == 3; }));
  const std::vector<pid_t> all = descendants_of(child->root());
  child->stop();
  EXPECT_TRUE(child->killed());
  EXPECT_EQ(child->how_it_ended(), "signal 9");
  EXPECT_TRUE(all_gone(all));
}

TEST(ChildProcess, KillDoesNotWait) {
  for (const bool asked : {false, true}) {
    const auto child = start_shell("trap '' INT; sleep 1000 & sleep 1001; :", kLong * 10);
    ASSERT_TRUE(wait_until([&] { return descendants_of(child->root()).size() == 3; }));
    const std::vector<pid_t> all = descendants_of(child->root());
    if (asked) child->ask_to_stop();
    EXPECT_FALSE(child->wait_end(20 * kMillisecond));
    child->kill();
    EXPECT_TRUE(child->wait_end(kLong));
    EXPECT_TRUE(child->killed());
    EXPECT_TRUE(all_gone(all));
    child->stop();
  }
}

// A server that its starter leaves behind, in a session of its own.
TEST(ChildProcess, KeepsWhatDetachesItself) {
  const auto child =
      start_shell("setsid sh -c 'sleep 1000; :' & sleep 0.2; exit 5", 100 * kMillisecond);
  ASSERT_TRUE(wait_until([&] {
    (void)child->wait_end(0);
    return child->how_it_ended() == "exit code 5";
  }));
  EXPECT_FALSE(child->wait_end(0));
  const std::vector<pid_t> all = descendants_of(child->root());
  EXPECT_EQ(all.size(), 2U);
  child->stop();
  EXPECT_TRUE(all_gone(all));
  EXPECT_EQ(child->left_count(), 0);
}

// Whatever ends the process that has started a program, the program ends too, and its children.
TEST(ChildProcess, EndsWithItsStarter) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t starter = ::fork();
  if (starter == 0) {
    auto child =
        ChildProcess::start({"sh", "-c", "trap '' INT; sleep 1000 & sleep 1001; :"}, kLong);
    while (descendants_of((*child)->root()).size() != 3) ::usleep(2'000);
    const pid_t root = (*child)->root();
    (void)!::write(pipe[1], &root, sizeof root);
    ::pause();
  }
  pid_t root = 0;
  ASSERT_EQ(::read(pipe[0], &root, sizeof root), static_cast<ssize_t>(sizeof root));
  std::vector<pid_t> all = descendants_of(root);
  ASSERT_EQ(all.size(), 3U);
  all.push_back(root);
  ASSERT_EQ(::kill(starter, SIGKILL), 0);
  ASSERT_EQ(::waitpid(starter, nullptr, 0), starter);
  EXPECT_TRUE(wait_until([&] { return all_gone(all); }));
  ::close(pipe[0]);
  ::close(pipe[1]);
}

// The keeper itself being killed.
TEST(ChildProcess, EndsWithItsKeeper) {
  const auto child = start_shell("exec sleep 1000", kLong);
  const std::vector<pid_t> all = descendants_of(child->root());
  ASSERT_EQ(all.size(), 1U);
  ::kill(child->root(), SIGKILL);
  EXPECT_TRUE(child->wait_end(kLong));
  child->stop();
  EXPECT_TRUE(wait_until([&] { return all_gone(all); }));
}

}  // namespace
}  // namespace carronade::cli
