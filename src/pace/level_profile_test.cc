#include "pace/level_profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace carronade::pace {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

TEST(LevelProfile, LinearWithinAStage) {
  const LevelProfile profile({{10, 200, 10 * kSecond}, {200, 200, 30 * kSecond}});
  EXPECT_EQ(profile.end_ns(), 40 * kSecond);
  EXPECT_EQ(profile.level_at(-1), 10U);
  EXPECT_EQ(profile.level_at(0), 10U);
  EXPECT_EQ(profile.level_at(5 * kSecond), 105U);
  EXPECT_EQ(profile.level_at(10 * kSecond), 200U);
  EXPECT_EQ(profile.level_at(100 * kSecond), 200U);
}

TEST(LevelProfile, TheLaterStageCountsAtABorder) {
  const LevelProfile profile({{5, 5, kSecond}, {50, 50, kSecond}, {0, 0, kSecond}, {7, 3, 10}});
  EXPECT_EQ(profile.level_at(kSecond - 1), 5U);
  EXPECT_EQ(profile.level_at(kSecond), 50U);
  EXPECT_EQ(profile.level_at(2 * kSecond), 0U);
  EXPECT_EQ(profile.next_change_ns(0), kSecond);
  EXPECT_EQ(profile.next_change_ns(-5), kSecond);
  EXPECT_EQ(profile.next_change_ns(kSecond), 2 * kSecond);
  EXPECT_EQ(profile.next_change_ns(2 * kSecond), 3 * kSecond);
  EXPECT_EQ(profile.next_change_ns(3 * kSecond + 10), kNever);
}

// Walking from change to change meets every level, and between two changes there is none.
TEST(LevelProfile, ChangesAreWhereTheLevelChanges) {
  for (const auto& stages :
       {std::vector<ConnectionStage>{{0, 5, 1000}, {5, 5, 300}, {5, 1, 777}, {3, 3, 10}},
        std::vector<ConnectionStage>{{0, 1000, 97}, {1000, 0, 89}},
        std::vector<ConnectionStage>{{3, 4, 1}, {4, 3, 1}, {9, 0, 2}, {0, 7, 3}},
        std::vector<ConnectionStage>{{1, 2, 10}}, std::vector<ConnectionStage>{{2, 1, 10}}}) {
    const LevelProfile profile(stages);
    const int64_t end_ns = profile.end_ns() + 5;
    for (int64_t t = -3; t < end_ns; ++t) {
      int64_t change_ns = t + 1;
      while (change_ns < end_ns && profile.level_at(change_ns) == profile.level_at(t)) ++change_ns;
      ASSERT_EQ(profile.next_change_ns(t), change_ns < end_ns ? change_ns : kNever) << t;
    }
  }
}

TEST(LevelProfile, RoundsToTheNearest) {
  const LevelProfile up({{0, 10, 1000}});
  const LevelProfile down({{10, 0, 1000}});
  for (int64_t t = 0; t < 1000; ++t) {
    const double exact = static_cast<double>(t) / 100;
    EXPECT_EQ(up.level_at(t), static_cast<uint32_t>(std::floor(exact + 0.5))) << t;
    EXPECT_LE(std::abs(down.level_at(t) - (10 - exact)), 0.5 + 1e-9) << t;
  }
}

TEST(LevelProfile, LargeNumbers) {
  constexpr int64_t kYear = 365 * 86'400 * kSecond;
  const LevelProfile profile({{0, 1'000'000, 100 * kYear}, {1'000'000, 0, 100 * kYear}});
  EXPECT_EQ(profile.level_at(50 * kYear), 500'000U);
  EXPECT_EQ(profile.level_at(150 * kYear), 500'000U);
  const int64_t change_ns = profile.next_change_ns(50 * kYear);
  EXPECT_EQ(profile.level_at(change_ns - 1), 500'000U);
  EXPECT_EQ(profile.level_at(change_ns), 500'001U);
  const LevelProfile beyond({{1, 2, kNever}, {2, 3, kNever}});
  EXPECT_EQ(beyond.end_ns(), kNever);
  EXPECT_EQ(beyond.level_at(kSecond), 1U);
  EXPECT_EQ(beyond.next_change_ns(kSecond), kNever / 2 + 1);
}

}  // namespace
}  // namespace carronade::pace
