#include "load/draws.h"

#include <gtest/gtest.h>

#include <array>

namespace carronade::load {
namespace {

TEST(Draws, FollowFromTheSeed) {
  Draws a(7), b(7), c(8);
  int equal = 0;
  for (int i = 0; i < 100; ++i) {
    const uint64_t drawn = a.below(1'000'000);
    EXPECT_EQ(drawn, b.below(1'000'000));
    equal += drawn == c.below(1'000'000) ? 1 : 0;
  }
  EXPECT_LT(equal, 3);
}

TEST(Draws, AreEven) {
  Draws draws(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts[draws.below(counts.size())];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 450);
}

// Bounds that do not divide 2^64 and are near it would favour some results without redrawing.
TEST(Draws, AreEvenInALargeRange) {
  constexpr uint64_t kBound = 3ULL << 62;
  Draws draws(1);
  int low = 0;
  for (int i = 0; i < 30'000; ++i) {
    const uint64_t drawn = draws.below(kBound);
    ASSERT_LT(drawn, kBound);
    low += drawn % 3 == 0 ? 1 : 0;
  }
  EXPECT_NEAR(low, 10'000, 450);
}

TEST(Draws, Borders) {
  Draws draws(1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(draws.below(1), 0U);
  EXPECT_NE(draws.below(0), draws.below(0));
}

}  // namespace
}  // namespace carronade::load
