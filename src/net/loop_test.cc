#include "net/loop.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <string>

#include "base/clock.h"
#include "net/net_test_support.h"

namespace carronade::net {
namespace {

constexpr int64_t kMsNs = 1'000'000;

void send_text(int fd, const std::string& text) {
  ASSERT_EQ(write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(Loop, NewSocketIsReportedWritableOnce) {
  Loop loop;
  const FdPair pair = unix_pair();
  ASSERT_TRUE(loop.add(pair.first.get(), 42));
  const auto events = loop.wait(0);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].token, 42u);
  EXPECT_TRUE(events[0].writable());
  EXPECT_FALSE(events[0].readable());
  EXPECT_FALSE(events[0].hung_up());
  EXPECT_TRUE(loop.wait(0).empty());
}

TEST(Loop, UnreadBytesAreReportedOnceAndNewBytesAgain) {
  Loop loop;
  const FdPair pair = unix_pair();
  ASSERT_TRUE(loop.add(pair.first.get(), 1));
  loop.wait(0);
  send_text(pair.second.get(), "a");
  ASSERT_EQ(loop.wait(0).size(), 1u);
  EXPECT_TRUE(loop.wait(0).empty()) << "edge-triggered: the byte is still unread";
  send_text(pair.second.get(), "b");
  const auto events = loop.wait(0);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].readable());
}

TEST(Loop, LevelInputStaysUntilRead) {
  Loop loop;
  const FdPair pair = unix_pair();
  ASSERT_TRUE(loop.add_level(pair.first.get(), 1));
  EXPECT_TRUE(loop.wait(0).empty()) << "writability is not asked for";
  send_text(pair.second.get(), "a");
  EXPECT_EQ(loop.wait(0).size(), 1u);
  EXPECT_EQ(loop.wait(0).size(), 1u);
  char byte;
  ASSERT_EQ(read(pair.first.get(), &byte, 1), 1);
  EXPECT_TRUE(loop.wait(0).empty());
}

TEST(Loop, ClosedPeerIsAHangUp) {
  Loop loop;
  FdPair pair = unix_pair();
  ASSERT_TRUE(loop.add(pair.first.get(), 1));
  loop.wait(0);
  pair.second.reset();
  const auto events = loop.wait(0);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].hung_up());
  EXPECT_TRUE(events[0].readable());
}

TEST(Loop, HalfClosedPeerIsAHangUp) {
  Loop loop;
  FdPair pair = tcp_pair();
  ASSERT_TRUE(loop.add(pair.first.get(), 1));
  loop.wait(0);
  ASSERT_EQ(shutdown(pair.second.get(), SHUT_WR), 0);
  const auto events = loop.wait(5000 * kMsNs);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].hung_up());
}

TEST(Loop, RemovedAndClosedSocketsAreSilent) {
  Loop loop;
  FdPair pair = unix_pair();
  ASSERT_TRUE(loop.add(pair.first.get(), 1));
  ASSERT_TRUE(loop.add(pair.second.get(), 2));
  loop.remove(pair.first.get());
  pair.second.reset();
  EXPECT_TRUE(loop.wait(0).empty());
}

TEST(Loop, AddFailsWithErrno) {
  Loop loop;
  EXPECT_FALSE(loop.add(-1, 1));
  EXPECT_EQ(errno, EBADF);
}

TEST(Loop, WaitsAtLeastTheTimeAskedFor) {
  Loop loop;
  for (const int64_t timeout_ns : {50'000, 1'500'000}) {
    const int64_t start = base::now_ns();
    EXPECT_TRUE(loop.wait(timeout_ns).empty());
    EXPECT_GE(base::now_ns() - start, timeout_ns);
  }
}

TEST(Loop, WaitIsFinerThanAMillisecond) {
  Loop loop;
  int64_t shortest = INT64_MAX;
  for (int i = 0; i < 20; ++i) {
    const int64_t start = base::now_ns();
    loop.wait(100'000);
    shortest = std::min(shortest, base::now_ns() - start);
  }
  EXPECT_LT(shortest, kMsNs);
}

TEST(Loop, ASignalEndsTheWait) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGALRM, &ignore, &before), 0);
  const itimerval soon{{0, 5000}, {0, 5000}};
  ASSERT_EQ(setitimer(ITIMER_REAL, &soon, nullptr), 0);
  Loop loop;
  EXPECT_TRUE(loop.wait(Loop::kForever).empty());
  EXPECT_TRUE(loop.wait(60'000 * kMsNs).empty());
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
}

TEST(Loop, PollFdTellsOfWaitingEvents) {
  Loop loop;
  const FdPair pair = unix_pair();
  ASSERT_TRUE(loop.add(pair.first.get(), 1));
  loop.wait(0);
  pollfd outer{loop.poll_fd(), POLLIN, 0};
  EXPECT_EQ(poll(&outer, 1, 0), 0);
  send_text(pair.second.get(), "a");
  EXPECT_EQ(poll(&outer, 1, 0), 1);
}

TEST(Loop, MoreEventsThanOneWaitHolds) {
  Loop loop;
  std::vector<FdPair> pairs;
  for (uint64_t i = 0; i < 300; ++i) {
    pairs.push_back(unix_pair());
    ASSERT_TRUE(loop.add(pairs.back().first.get(), 2 * i));
    ASSERT_TRUE(loop.add(pairs.back().second.get(), 2 * i + 1));
  }
  std::vector<bool> seen(600);
  size_t total = 0;
  for (;;) {
    const auto events = loop.wait(0);
    if (events.empty()) break;
    EXPECT_LE(events.size(), 512u);
    for (const Loop::Event& event : events) seen[event.token] = true;
    total += events.size();
  }
  EXPECT_EQ(total, 600u);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 600);
}

}  // namespace
}  // namespace carronade::net
