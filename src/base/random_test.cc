#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace carronade::base {
namespace {

TEST(Random, IsTheSplitMix64Sequence) {
  // The first outputs of Vigna's splitmix64.c for this seed.
  constexpr std::array<uint64_t, 5> kPublished = {6457827717110365317U, 3203168211198807973U,
                                                  9817491932198370423U, 4593380528125082431U,
                                                  16408922859458223821U};
  for (uint64_t k = 0; k < kPublished.size(); ++k) EXPECT_EQ(mix(1234567, k), kPublished[k]) << k;
}

TEST(Random, UnitsKeepToTheirBounds) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(unit_from(0), 0.0);
  EXPECT_LT(unit_from(kMost), 1.0);
  EXPECT_EQ(positive_unit_from(kMost), 1.0);
  EXPECT_GT(positive_unit_from(0), 0.0);
}

// χ² over 100 cells has mean 99 and a standard deviation of √198; 149.45 is its 99.9 % point.
TEST(Random, IsEvenForNeighbouringSeeds) {
  constexpr int kDraws = 100'000;
  constexpr double kExpected = kDraws / 100.0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    std::array<int, 100> cells{};
    for (uint64_t k = 0; k < kDraws; ++k) {
      ++cells[static_cast<size_t>(unit_from(mix(seed, k)) * 100)];
    }
    double chi_squared = 0;
    for (const int n : cells) chi_squared += (n - kExpected) * (n - kExpected) / kExpected;
    EXPECT_LT(chi_squared, 149.45) << seed;
    EXPECT_GT(chi_squared, 60) << seed;
  }
}

TEST(Random, NeighboursAreNotCorrelated) {
  constexpr int kDraws = 100'000;
  double next_number = 0;
  double next_seed = 0;
  for (uint64_t k = 0; k < kDraws; ++k) {
    const double here = unit_from(mix(1, k)) - 0.5;
    next_number += here * (unit_from(mix(1, k + 1)) - 0.5);
    next_seed += here * (unit_from(mix(2, k)) - 0.5);
  }
  // The sum of products of independent numbers has a standard deviation of √n / 12.
  const double bound = 4 * std::sqrt(double{kDraws}) / 12;
  EXPECT_LT(std::abs(next_number), bound);
  EXPECT_LT(std::abs(next_seed), bound);
}

}  // namespace
}  // namespace carronade::base
