#include <gtest/gtest.h>

#include "pace/budget.h"
#include "pace/split.h"

namespace carronade::pace {
namespace {

TEST(Budget, UnlimitedGivesWhatIsAsked) {
  Budget budget(std::nullopt, 4);
  EXPECT_EQ(budget.take(1000), 1000u);
  EXPECT_FALSE(budget.limited());
  EXPECT_FALSE(budget.exhausted());
}

TEST(Budget, HandsOutExactlyItsAmount) {
  for (uint64_t amount : {1u, 3u, 10u, 97u, 1000u}) {
    for (uint32_t sharers : {1u, 2u, 7u, 50u}) {
      Budget budget(amount, sharers);
      uint64_t taken = 0;
      for (int turn = 0; turn < 5000 && !budget.exhausted(); ++turn) taken += budget.take(16);
      EXPECT_EQ(taken, amount) << amount << " over " << sharers;
      EXPECT_EQ(budget.take(1), 0u);
    }
  }
}

TEST(Budget, IsFairNearItsEnd) {
  Budget budget(10, 4);
  EXPECT_EQ(budget.take(16), 3u);
  EXPECT_EQ(budget.take(16), 2u);
  EXPECT_EQ(budget.take(16), 2u);
  EXPECT_EQ(budget.left(), 3u);
}

TEST(Budget, ZeroIsExhaustedAtOnce) {
  Budget budget(0, 3);
  EXPECT_TRUE(budget.exhausted());
  EXPECT_EQ(budget.take(5), 0u);
}

TEST(Split, PartsAddUpAndFollowEachOther) {
  for (uint64_t total : {0u, 1u, 5u, 10u, 97u}) {
    for (uint64_t parts : {1u, 2u, 3u, 8u}) {
      uint64_t sum = 0;
      for (uint64_t i = 0; i < parts; ++i) {
        EXPECT_EQ(parts_before(total, parts, i), sum);
        sum += part_of(total, parts, i);
      }
      EXPECT_EQ(sum, total);
    }
  }
}

}  // namespace
}  // namespace carronade::pace
