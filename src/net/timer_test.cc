#include "net/timer.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "net/loop.h"

namespace carronade::net {
namespace {

constexpr int64_t kMsNs = 1'000'000;
constexpr int64_t kLongNs = 10'000 * kMsNs;

class TimerTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(loop_.add_level(timer_.fd(), 7)); }

  Timer timer_;
  Loop loop_;
};

TEST_F(TimerTest, FiresOnceAndNotEarly) {
  const int64_t when = base::now_ns() + 2 * kMsNs;
  timer_.arm_at(when);
  const auto events = loop_.wait(kLongNs);
  EXPECT_GE(base::now_ns(), when);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].token, 7u);
  timer_.drain();
  EXPECT_TRUE(loop_.wait(4 * kMsNs).empty());
}

TEST_F(TimerTest, PastTimesFireAtOnce) {
  for (const int64_t when : {base::now_ns() - kMsNs, int64_t{0}, int64_t{-5}}) {
    timer_.arm_at(when);
    EXPECT_EQ(loop_.wait(kLongNs).size(), 1u) << when;
    timer_.drain();
  }
}

TEST_F(TimerTest, NewTimeReplacesTheFormer) {
  timer_.arm_at(base::now_ns() + kLongNs);
  timer_.arm_at(base::now_ns() + kMsNs);
  EXPECT_EQ(loop_.wait(kLongNs / 2).size(), 1u);
}

TEST_F(TimerTest, DisarmedStaysSilent) {
  timer_.arm_at(base::now_ns() + kMsNs);
  timer_.disarm();
  EXPECT_TRUE(loop_.wait(5 * kMsNs).empty());
}

TEST_F(TimerTest, DrainWithoutExpiryReturns) { timer_.drain(); }

}  // namespace
}  // namespace carronade::net
