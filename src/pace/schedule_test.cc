// Exact counts and times: no clock, no sleeping.
#include "pace/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace carronade::pace {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr uint32_t kParts[] = {1, 2, 3, 8};
using Shape = RateSegment::Shape;

RateSpec constant(double rate) {
  RateSpec spec;
  spec.stages = {{"", {{Shape::kLinear, rate, rate, RateSegment::kEndless, 0}}}};
  return spec;
}

std::vector<int64_t> part_of_plan(const RateProfile& profile, const RateSpec& spec,
                                  Schedule::Part part, int64_t end_ns,
                                  std::optional<uint64_t> amount) {
  std::vector<int64_t> times;
  Schedule schedule(profile, spec, part, end_ns, amount);
  for (; schedule.next_ns() != Schedule::kOver; schedule.pop()) {
    EXPECT_GE(schedule.next_ns(), times.empty() ? 0 : times.back());
    EXPECT_LT(schedule.next_ns(), end_ns);
    times.push_back(schedule.next_ns());
  }
  return times;
}

std::vector<int64_t> merged(const RateSpec& spec, uint32_t parts, int64_t end_ns,
                            std::optional<uint64_t> amount = std::nullopt) {
  const RateProfile profile(spec.stages);
  std::vector<int64_t> all;
  for (uint32_t i = 0; i < parts; ++i) {
    const auto times = part_of_plan(profile, spec, {i, parts}, end_ns, amount);
    all.insert(all.end(), times.begin(), times.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

double expected(const RateSpec& spec, int64_t end_ns,
                std::optional<uint64_t> amount = std::nullopt) {
  return expected_arrivals(RateProfile(spec.stages), spec, end_ns, amount);
}

TEST(Schedule, EvenCountsAreExactInAnyNumberOfParts) {
  for (const double rate : {5.0, 70.0, 97.0, 1000.0, 20'000.0}) {
    const RateSpec spec = constant(rate);
    const auto count = static_cast<size_t>(rate) * 10;
    EXPECT_EQ(expected(spec, 10 * kSecond), static_cast<double>(count));
    for (const uint32_t parts : kParts) {
      const auto times = merged(spec, parts, 10 * kSecond);
      ASSERT_EQ(times.size(), count) << rate << " in " << parts;
      for (size_t k = 0; k < count; ++k) {
        EXPECT_NEAR(static_cast<double>(times[k]), static_cast<double>(k) / rate * 1e9, 0.51);
      }
    }
  }
}

TEST(Schedule, NoSecondHasMoreThanOneExtraArrival) {
  for (const double rate : {0.3, 2.5, 5.0, 70.0, 97.3, 1000.0 / 7, 20'000.0}) {
    const auto times = merged(constant(rate), 3, 20 * kSecond);
    // Any second, not only the whole ones.
    for (int64_t start_ns = 0; start_ns <= 19 * kSecond; start_ns += 123'456'789) {
      const auto first = std::lower_bound(times.begin(), times.end(), start_ns);
      const auto last = std::lower_bound(first, times.end(), start_ns + kSecond);
      EXPECT_LE(last - first, std::ceil(rate)) << rate << " at " << start_ns;
      EXPECT_GE(last - first, std::floor(rate)) << rate << " at " << start_ns;
    }
  }
}

// 97/s: one in 97 arrivals of a part of 8 may not be where the plan of one has none.
TEST(Schedule, PartsShareEvenly) {
  const RateSpec spec = constant(97);
  const RateProfile profile(spec.stages);
  for (uint32_t i = 0; i < 8; ++i) {
    const auto times = part_of_plan(profile, spec, {i, 8}, 10 * kSecond, std::nullopt);
    EXPECT_EQ(times.size(), i < 970 % 8 ? 122U : 121U);
    EXPECT_NEAR(static_cast<double>(times[0]), i / 97.0 * 1e9, 0.51);
  }
}

TEST(Schedule, FractionsAndFewerArrivalsThanParts) {
  EXPECT_EQ(merged(constant(0.5), 8, 10 * kSecond).size(), 5U);
  EXPECT_EQ(merged(constant(0.1), 8, 10 * kSecond).size(), 1U);
  EXPECT_EQ(merged(constant(0.1), 2, 30 * kSecond).size(), 3U);  // 3.0000000000000004
  EXPECT_EQ(merged(constant(0.1), 2, 30 * kSecond + 100).size(), 4U);
  EXPECT_EQ(merged(constant(1.0 / 3), 2, 30 * kSecond).size(), 10U);
  EXPECT_EQ(merged(constant(100.0 / 60), 3, 60 * kSecond).size(), 100U);
  EXPECT_EQ(merged(constant(3), 8, kSecond / 2).size(), 2U);  // ⌈1.5⌉
  EXPECT_EQ(expected(constant(3), kSecond / 2), 2);
  EXPECT_EQ(merged(constant(0), 2, 10 * kSecond).size(), 0U);
  EXPECT_EQ(expected(constant(0), 10 * kSecond), 0);
  EXPECT_EQ(merged(constant(1e6), 2, 1'000'001).size(), 1001U);  // the last one in the last ns
}

// Many rates that have no exact form in binary, whole counts expected.
TEST(Schedule, NeverOneTooMany) {
  for (int tenths = 1; tenths < 2000; ++tenths) {
    const RateSpec spec = constant(tenths / 10.0);
    const RateProfile profile(spec.stages);
    EXPECT_EQ(expected_arrivals(profile, spec, 70 * kSecond, std::nullopt), tenths * 7.0);
    Schedule last(profile, spec, {static_cast<uint32_t>(tenths) * 7 - 1, 1'000'000}, 70 * kSecond,
                  std::nullopt);
    EXPECT_LT(last.next_ns(), 70 * kSecond);
    Schedule none(profile, spec, {static_cast<uint32_t>(tenths) * 7, 1'000'000}, 70 * kSecond,
                  std::nullopt);
    EXPECT_EQ(none.next_ns(), Schedule::kOver);
  }
}

TEST(Schedule, AmountIsATotal) {
  for (const uint32_t parts : kParts) {
    for (const Arrivals arrivals :
         {Arrivals::kEven, Arrivals::kPoisson, Arrivals::kJitter, Arrivals::kBurst}) {
      RateSpec spec = constant(100);
      spec.arrivals = arrivals;
      spec.burst = 7;
      EXPECT_EQ(merged(spec, parts, 10 * kSecond, 5).size(), 5U);
      EXPECT_EQ(merged(spec, parts, 10 * kSecond, 0).size(), 0U);
      EXPECT_EQ(merged(spec, parts, 10 * kSecond, 123).size(), 123U);
      EXPECT_EQ(expected(spec, 10 * kSecond, 123), 123);
    }
  }
  EXPECT_EQ(merged(constant(5), 2, 10 * kSecond, 1000).size(), 50U);
}

TEST(Schedule, EndlessGoesOn) {
  for (const Arrivals arrivals : {Arrivals::kEven, Arrivals::kPoisson, Arrivals::kJitter}) {
    RateSpec spec = constant(1000);
    spec.arrivals = arrivals;
    const RateProfile profile(spec.stages);
    Schedule schedule(profile, spec, {1, 2}, Schedule::kOver, std::nullopt);
    for (int i = 0; i < 100'000; ++i) schedule.pop();
    EXPECT_NEAR(static_cast<double>(schedule.next_ns()), 200e9, 4e9);
  }
  EXPECT_EQ(expected(constant(2), Schedule::kOver, 10), 10);
}

TEST(Schedule, RampStagesAndStep) {
  RateSpec spec;
  spec.stages = {{"ramp", {{Shape::kLinear, 10, 500, 30 * kSecond, 0}}}};
  EXPECT_EQ(merged(spec, 3, Schedule::kOver).size(), 7650U);
  EXPECT_EQ(expected(spec, Schedule::kOver), 7650);
  EXPECT_EQ(merged(spec, 3, 40 * kSecond).size(), 7650U);  // no longer than the profile
  EXPECT_EQ(merged(spec, 3, 15 * kSecond).size(), 1988U);  // ⌈1987.5⌉

  spec.stages = {{"a", {{Shape::kLinear, 100, 100, 10 * kSecond, 0}}},
                 {"b", {{Shape::kLinear, 0, 0, 5 * kSecond, 0}}},
                 {"c", {{Shape::kLinear, 100, 1000, 30 * kSecond, 0}}},
                 {"d", {{Shape::kLinear, 0, 0, 5 * kSecond, 0}}}};
  for (const uint32_t parts : kParts) {
    const auto times = merged(spec, parts, Schedule::kOver);
    ASSERT_EQ(times.size(), 1000U + 16'500U);
    EXPECT_EQ(times[999], 9'990'000'000);
    EXPECT_EQ(times[1000], 15 * kSecond);
    EXPECT_LT(times.back(), 45 * kSecond);
  }
  // Cut off where there is no load.
  EXPECT_EQ(merged(spec, 2, 12 * kSecond).size(), 1000U);
  EXPECT_EQ(expected(spec, 12 * kSecond), 1000);

  spec.stages = {{"low", {{Shape::kLinear, 100, 100, 10 * kSecond, 0}}},
                 {"high", {{Shape::kLinear, 300, 300, 10 * kSecond, 0}}}};
  const auto times = merged(spec, 8, Schedule::kOver);
  ASSERT_EQ(times.size(), 4000U);
  EXPECT_EQ(times[999], 9'990'000'000);
  EXPECT_EQ(times[1000], 10 * kSecond);
  EXPECT_EQ(times[1001], 10'003'333'333);
}

// What is begun in one stage is finished in the next: 2.5 arrivals and 2.5 are 5.
TEST(Schedule, FractionsCarryOverBorders) {
  RateSpec spec;
  spec.stages = {{"a", {{Shape::kLinear, 0.25, 0.25, 10 * kSecond, 0}}},
                 {"b", {{Shape::kLinear, 0.5, 0.5, 5 * kSecond, 0}}}};
  EXPECT_EQ(merged(spec, 2, Schedule::kOver),
            (std::vector<int64_t>{0, 4 * kSecond, 8 * kSecond, 11 * kSecond, 13 * kSecond}));
}

TEST(Schedule, Sine) {
  RateSpec spec;
  spec.stages = {{"", {{Shape::kSine, 100, 300, RateSegment::kEndless, 20 * kSecond}}}};
  const RateProfile profile(spec.stages);
  const auto times = merged(spec, 3, 40 * kSecond);
  ASSERT_EQ(times.size(), 8000U);
  for (size_t k = 0; k < times.size(); ++k) {
    EXPECT_NEAR(profile.count_until(times[k]), static_cast<double>(k), 1e-6);
  }
  const auto in = [&times](int64_t from_ns, int64_t to_ns) {
    return std::lower_bound(times.begin(), times.end(), to_ns) -
           std::lower_bound(times.begin(), times.end(), from_ns);
  };
  EXPECT_NEAR(static_cast<double>(in(0, kSecond)), 101, 1);
  EXPECT_NEAR(static_cast<double>(in(9 * kSecond, 11 * kSecond)), 597, 2);
}

TEST(Schedule, BurstsComeTogether) {
  RateSpec spec = constant(100);
  spec.arrivals = Arrivals::kBurst;
  spec.burst = 10;
  for (const uint32_t parts : kParts) {
    const auto times = merged(spec, parts, 10 * kSecond);
    ASSERT_EQ(times.size(), 1000U);
    for (size_t k = 0; k < times.size(); ++k) {
      EXPECT_EQ(times[k], static_cast<int64_t>(k / 10) * kSecond / 10);
    }
  }
  spec.burst = 7;  // 143 bursts have begun when 1,000 arrivals are due
  EXPECT_EQ(merged(spec, 3, 10 * kSecond).size(), 1001U);
  EXPECT_EQ(expected(spec, 10 * kSecond), 1001);
}

}  // namespace
}  // namespace carronade::pace
