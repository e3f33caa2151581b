#include "net/wakeup.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <thread>

#include "net/loop.h"

namespace carronade::net {
namespace {

constexpr int64_t kLongNs = 10'000'000'000;

TEST(Wakeup, WakesTheLoopFromAnotherThread) {
  const Wakeup wakeup;
  Loop loop;
  ASSERT_TRUE(loop.add_level(wakeup.fd(), 3));
  EXPECT_TRUE(loop.wait(0).empty());
  std::thread other([&] { wakeup.notify(); });
  const auto events = loop.wait(kLongNs);
  other.join();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].token, 3u);
}

TEST(Wakeup, ManyNotificationsAreOneWakeup) {
  const Wakeup wakeup;
  Loop loop;
  ASSERT_TRUE(loop.add_level(wakeup.fd(), 3));
  for (int i = 0; i < 1000; ++i) wakeup.notify();
  EXPECT_EQ(loop.wait(0).size(), 1u);
  wakeup.drain();
  EXPECT_TRUE(loop.wait(0).empty());
  wakeup.drain();  // returns although nothing is there
  wakeup.notify();
  EXPECT_EQ(loop.wait(0).size(), 1u);
}

TEST(Wakeup, NotifyKeepsErrno) {
  const Wakeup wakeup;
  const uint64_t almost_full = UINT64_MAX - 1;
  ASSERT_EQ(write(wakeup.fd(), &almost_full, sizeof almost_full), 8);
  errno = ENOENT;
  wakeup.notify();  // would overflow the counter
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace carronade::net
