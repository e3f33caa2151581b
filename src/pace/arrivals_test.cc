// What is drawn: that parts merge to the plan of one, that the seed decides, and that the gaps
// have the law they should have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "pace/schedule.h"

namespace carronade::pace {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr Arrivals kAll[] = {Arrivals::kEven, Arrivals::kPoisson, Arrivals::kJitter,
                             Arrivals::kBurst};
using Shape = RateSegment::Shape;

RateSpec constant(double rate) {
  RateSpec spec;
  spec.stages = {{"", {{Shape::kLinear, rate, rate, RateSegment::kEndless, 0}}}};
  return spec;
}

RateSpec every_shape() {
  RateSpec spec;
  spec.stages = {{"ramp", {{Shape::kLinear, 0, 500, 5 * kSecond, 0}}},
                 {"rest", {{Shape::kLinear, 0, 0, 2 * kSecond, 0}}},
                 {"sine", {{Shape::kSine, 0, 600, 8 * kSecond, 4 * kSecond}}},
                 {"down", {{Shape::kLinear, 400, 0, 5 * kSecond, 0}}}};
  return spec;
}

std::vector<int64_t> merged(const RateSpec& spec, uint32_t parts, int64_t end_ns) {
  const RateProfile profile(spec.stages);
  std::vector<int64_t> all;
  for (uint32_t i = 0; i < parts; ++i) {
    Schedule schedule(profile, spec, {i, parts}, end_ns, std::nullopt);
    int64_t before_ns = 0;
    for (; schedule.next_ns() != Schedule::kOver; schedule.pop()) {
      EXPECT_GE(schedule.next_ns(), before_ns);
      before_ns = schedule.next_ns();
      all.push_back(before_ns);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Gaps between arrivals in units of Λ, where a Poisson process has rate 1.
std::vector<double> mapped_gaps(const RateSpec& spec, int64_t end_ns) {
  const RateProfile profile(spec.stages);
  std::vector<double> gaps;
  double before = 0;
  for (const int64_t time_ns : merged(spec, 2, end_ns)) {
    const double x = profile.count_until(time_ns);
    gaps.push_back(x - before);
    before = x;
  }
  return gaps;
}

// √n · the largest distance between the gaps and the exponential law of mean 1. A sample from
// that law exceeds 1.628 once in a hundred.
double ks_distance(std::vector<double> gaps) {
  std::sort(gaps.begin(), gaps.end());
  const auto n = static_cast<double>(gaps.size());
  double distance = 0;
  for (size_t i = 0; i < gaps.size(); ++i) {
    const double law = 1 - std::exp(-gaps[i]);
    const auto below = static_cast<double>(i);
    distance = std::max({distance, law - below / n, (below + 1) / n - law});
  }
  return distance * std::sqrt(n);
}

TEST(Arrivals, PartsMergeToThePlanOfOne) {
  for (const Arrivals arrivals : kAll) {
    for (RateSpec spec : {constant(997), every_shape(), constant(0.4)}) {
      spec.arrivals = arrivals;
      spec.burst = 5;
      spec.seed = 42;
      const auto one = merged(spec, 1, 20 * kSecond);
      EXPECT_GT(one.size(), 2U);
      for (const uint32_t parts : {2U, 3U, 8U}) EXPECT_EQ(merged(spec, parts, 20 * kSecond), one);
    }
  }
}

TEST(Arrivals, TheSeedDecides) {
  for (const Arrivals arrivals : kAll) {
    RateSpec spec = every_shape();
    spec.arrivals = arrivals;
    spec.seed = 1;
    const auto first = merged(spec, 2, 20 * kSecond);
    EXPECT_EQ(merged(spec, 2, 20 * kSecond), first);
    spec.seed = 2;
    const bool drawn = arrivals == Arrivals::kPoisson || arrivals == Arrivals::kJitter;
    EXPECT_EQ(merged(spec, 2, 20 * kSecond) != first, drawn);
  }
}

TEST(Arrivals, JitterKeepsEachArrivalInItsSlot) {
  RateSpec spec = constant(97);
  spec.arrivals = Arrivals::kJitter;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    spec.seed = seed;
    const auto times = merged(spec, 3, 10 * kSecond);
    ASSERT_EQ(times.size(), 970U);
    double sum = 0;
    for (size_t k = 0; k < times.size(); ++k) {
      const double offset = static_cast<double>(times[k]) * 97e-9 - static_cast<double>(k);
      EXPECT_GE(offset, -1e-6);
      EXPECT_LE(offset, 1 + 1e-6);
      sum += offset;
    }
    EXPECT_NEAR(sum / 970, 0.5, 4 * std::sqrt(1.0 / 12 / 970));
  }
}

// Shapes of one seed share their draws, so that they say little more than one.
TEST(Arrivals, PoissonGapsAreExponential) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    RateSpec spec = constant(1000);
    spec.arrivals = Arrivals::kPoisson;
    spec.seed = seed;
    EXPECT_LT(ks_distance(mapped_gaps(spec, 10 * kSecond)), 1.628) << seed;
    spec.stages = {{"", {{Shape::kLinear, 10, 2000, 10 * kSecond, 0}}}};
    EXPECT_LT(ks_distance(mapped_gaps(spec, 10 * kSecond)), 1.628) << seed;
    spec.stages = every_shape().stages;
    EXPECT_LT(ks_distance(mapped_gaps(spec, 20 * kSecond)), 1.628) << seed;
  }
}

// Of 400 seeds 4 are expected beyond the 1 % point and 40 beyond the 10 % point. All below would
// be as wrong as many above.
TEST(Arrivals, SeedsFailTheTestAsOftenAsTheyShould) {
  int beyond_1 = 0;
  int beyond_10 = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    RateSpec spec = constant(1000);
    spec.arrivals = Arrivals::kPoisson;
    spec.seed = seed;
    const double distance = ks_distance(mapped_gaps(spec, 2 * kSecond));
    beyond_1 += distance > 1.628;
    beyond_10 += distance > 1.224;
  }
  EXPECT_LE(beyond_1, 11);
  EXPECT_GE(beyond_10, 20);
  EXPECT_LE(beyond_10, 60);
}

// The test above can fail: other arrivals are far from exponential, and so is a rate 10 % off.
TEST(Arrivals, OthersFailTheTest) {
  RateSpec spec = constant(1000);
  spec.arrivals = Arrivals::kJitter;
  EXPECT_GT(ks_distance(mapped_gaps(spec, 20 * kSecond)), 10);
  spec.arrivals = Arrivals::kEven;
  EXPECT_GT(ks_distance(mapped_gaps(spec, 20 * kSecond)), 10);
  spec.arrivals = Arrivals::kPoisson;
  auto gaps = mapped_gaps(spec, 20 * kSecond);
  for (double& gap : gaps) gap *= 1.1;
  EXPECT_GT(ks_distance(gaps), 3);
}

// The number of arrivals has mean and variance rate · time, and neighbouring gaps are not
// correlated: what the law of single gaps does not say.
TEST(Arrivals, PoissonCountsAreThoseOfAPoissonProcess) {
  RateSpec spec = constant(100);
  spec.arrivals = Arrivals::kPoisson;
  constexpr int kSeeds = 400;
  double sum = 0;
  double squares = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    spec.seed = seed;
    const double off = static_cast<double>(merged(spec, 1, 10 * kSecond).size()) - 1000;
    sum += off;
    squares += off * off;
  }
  EXPECT_NEAR(sum / kSeeds, 0, 4 * std::sqrt(1000.0 / kSeeds));
  EXPECT_NEAR(squares / kSeeds, 1000, 4 * 1000 * std::sqrt(2.0 / kSeeds));
  EXPECT_EQ(expected_arrivals(RateProfile(spec.stages), spec, 10 * kSecond, std::nullopt), 1000);

  const auto gaps = mapped_gaps(constant(1000), 1);  // the first arrival only
  EXPECT_EQ(gaps.size(), 1U);
  spec.seed = 3;
  const auto many = mapped_gaps(spec, 200 * kSecond);
  double products = 0;
  for (size_t i = 1; i < many.size(); ++i) products += (many[i] - 1) * (many[i - 1] - 1);
  EXPECT_LT(std::abs(products), 4 * std::sqrt(static_cast<double>(many.size())));
}

}  // namespace
}  // namespace carronade::pace
