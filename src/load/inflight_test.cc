#include "load/inflight.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace carronade::load {
namespace {

TEST(Inflight, KeepsEachRequestsOwnTime) {
  Inflight inflight;
  inflight.push(10, 2);
  inflight.push(20, 1);
  EXPECT_EQ(inflight.total(), 3u);
  EXPECT_EQ(inflight.oldest_sent_ns(), 10);
  inflight.pop();
  EXPECT_EQ(inflight.oldest_sent_ns(), 10);
  inflight.pop();
  EXPECT_EQ(inflight.oldest_sent_ns(), 20);
  inflight.pop();
  EXPECT_TRUE(inflight.empty());
}

TEST(Inflight, GivesUpPartOfARunAtOnce) {
  Inflight inflight;
  inflight.push(10, 5);
  inflight.push(20, 2);
  EXPECT_EQ(inflight.oldest_count(), 5u);
  inflight.pop(3);
  EXPECT_EQ(inflight.oldest_count(), 2u);
  EXPECT_EQ(inflight.oldest_sent_ns(), 10);
  inflight.pop(2);
  EXPECT_EQ(inflight.oldest_sent_ns(), 20);
  EXPECT_EQ(inflight.total(), 2u);
}

TEST(Inflight, BehavesLikeAQueueOfTimes) {
  std::mt19937 random(7);
  Inflight inflight;
  std::deque<int64_t> model;
  int64_t now = 0;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 2 == 0 && model.size() < 100) {
      now += static_cast<int64_t>(random() % 3);
      const uint32_t count = 1 + random() % 4;
      inflight.push(now, count);
      model.insert(model.end(), count, now);
    } else if (!model.empty()) {
      ASSERT_EQ(inflight.oldest_sent_ns(), model.front());
      inflight.pop();
      model.pop_front();
    }
    ASSERT_EQ(inflight.total(), model.size());
  }
}

}  // namespace
}  // namespace carronade::load
