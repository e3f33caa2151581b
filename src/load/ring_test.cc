#include "load/ring.h"

#include <gtest/gtest.h>

namespace carronade::load {
namespace {

TEST(Ring, KeepsTheOrderWhileItGrowsAndGoesRound) {
  Ring<int> ring;
  int in = 0;
  int out = 0;
  for (int round = 1; round < 300; ++round) {
    for (int i = 0; i < round % 90; ++i) ring.push_back(in++);
    while (ring.size() > 40) ASSERT_EQ(ring.pop_front(), out++);
  }
  while (!ring.empty()) ASSERT_EQ(ring.pop_front(), out++);
  EXPECT_EQ(in, out);
}

TEST(Ring, TakesOneBackAtTheFront) {
  Ring<int> ring;
  for (int i = 0; i < 64; ++i) ring.push_back(i);
  EXPECT_EQ(ring.pop_front(), 0);
  ring.push_front(0);
  ring.push_front(-1);  // grows
  for (int i = -1; i < 64; ++i) ASSERT_EQ(ring.pop_front(), i);
  EXPECT_TRUE(ring.empty());
}

TEST(Ring, TakesTheYoungestBack) {
  Ring<int> ring;
  for (int i = 0; i < 100; ++i) ring.push_back(i);
  for (int i = 0; i < 98; ++i) ring.pop_back();
  EXPECT_EQ(ring.size(), 2u);
  EXPECT_EQ(ring.pop_front(), 0);
  EXPECT_EQ(ring.pop_front(), 1);
}

}  // namespace
}  // namespace carronade::load
