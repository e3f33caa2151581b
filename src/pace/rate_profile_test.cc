#include "pace/rate_profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "pace/sine_rate.h"

namespace carronade::pace {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDay = 86'400 * kSecond;
using Shape = RateSegment::Shape;

RateSegment linear(double from, double to, int64_t duration_ns) {
  return {Shape::kLinear, from, to, duration_ns, 0};
}
RateSegment sine(double from, double to, int64_t period_ns, int64_t duration_ns) {
  return {Shape::kSine, from, to, duration_ns, period_ns};
}
RateProfile profile_of(std::vector<RateSegment> segments) {
  return RateProfile({{"", std::move(segments)}});
}

// ∫ r by Simpson's rule over an even number of steps.
double integral(const RateProfile& profile, int64_t from_ns, int64_t to_ns) {
  constexpr int kSteps = 2000;
  const double step_ns = static_cast<double>(to_ns - from_ns) / kSteps;
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const int weight = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * profile.rate_at(from_ns + std::llround(i * step_ns));
  }
  return sum * step_ns / 3e9;
}

TEST(RateProfile, ConstantIsExact) {
  const RateProfile profile = profile_of({linear(97, 97, RateSegment::kEndless)});
  EXPECT_EQ(profile.end_ns(), RateSegment::kEndless);
  EXPECT_EQ(profile.rate_at(0), 97);
  EXPECT_EQ(profile.rate_at(kDay), 97);
  EXPECT_EQ(profile.rate_at(-1), 0);
  EXPECT_DOUBLE_EQ(profile.count_until(10 * kSecond), 970);
  EXPECT_EQ(profile.count_until(-5), 0);
  for (const uint64_t k : {0U, 1U, 96U, 97U, 970U, 25'142'400U, 100'000'000U}) {
    // Rounded to the nearest ns in whole numbers.
    const uint64_t exact_ns = (k * 2'000'000'000U + 97) / 194;
    EXPECT_NEAR(static_cast<double>(profile.time_of(static_cast<double>(k))),
                static_cast<double>(exact_ns), 1)
        << k;
  }
}

TEST(RateProfile, FractionsOfASecond) {
  const RateProfile slow = profile_of({linear(1.0 / 86'400, 1.0 / 86'400, RateSegment::kEndless)});
  for (const int day : {1, 2, 7, 100}) EXPECT_NEAR(slow.time_of(day), day * kDay, 1) << day;
}

// Λ⁻¹ against its formula in 64 bits of mantissa.
TEST(RateProfile, RampsAreExactToANanosecond) {
  struct Case {
    double from, to;
    int64_t duration_ns;
  };
  for (const Case& c :
       {Case{10, 500, 30 * kSecond}, Case{500, 10, 30 * kSecond}, Case{0, 1000, 10 * kSecond},
        Case{1000, 0, 10 * kSecond}, Case{100, 100.001, 60 * kSecond}, Case{1, 50, 3 * kDay},
        Case{50, 0, 3 * kDay}, Case{0, 1e6, 10 * kSecond}}) {
    const RateProfile profile = profile_of({linear(c.from, c.to, c.duration_ns)});
    const double total = profile.count_until(profile.end_ns());
    const long double seconds = static_cast<long double>(c.duration_ns) / 1e9L;
    const long double slope = (static_cast<long double>(c.to) - c.from) / seconds;
    int64_t before_ns = 0;
    for (int i = 0; i < 1000; ++i) {
      const double count = std::floor(total * i / 1000);
      const int64_t time_ns = profile.time_of(count);
      // From the end where the rate falls, for the same reason as in the code.
      const long double left = (c.from + static_cast<long double>(c.to)) / 2 * seconds - count;
      const long double exact =
          slope >= 0 ? (count == 0 ? 0
                                   : 2 * count /
                                         (c.from + std::sqrt(static_cast<long double>(
                                                       c.from * c.from + 2 * slope * count))))
                     : seconds - 2 * left / (c.to + std::sqrt(c.to * c.to - 2 * slope * left));
      EXPECT_NEAR(static_cast<double>(time_ns), static_cast<double>(exact * 1e9L), 1.01)
          << c.from << ".." << c.to << " at " << count;
      EXPECT_GE(time_ns, before_ns);
      before_ns = time_ns;
    }
    EXPECT_NEAR(total, integral(profile, 0, c.duration_ns - 1), total * 1e-8);
  }
}

TEST(RateProfile, SineBeginsLowAndPeaksInTheMiddle) {
  const RateProfile profile = profile_of({sine(100, 300, 20 * kSecond, 60 * kSecond)});
  EXPECT_DOUBLE_EQ(profile.rate_at(0), 100);
  EXPECT_DOUBLE_EQ(profile.rate_at(10 * kSecond), 300);
  EXPECT_NEAR(profile.rate_at(5 * kSecond), 200, 1e-9);
  EXPECT_DOUBLE_EQ(profile.rate_at(20 * kSecond), 100);
  EXPECT_NEAR(profile.count_until(20 * kSecond), 4000, 1e-9);
  EXPECT_NEAR(profile.count_until(60 * kSecond), 12'000, 1e-9);
  for (const int64_t end_ns : {kSecond, 7 * kSecond, 33 * kSecond}) {
    EXPECT_NEAR(profile.count_until(end_ns), integral(profile, 0, end_ns), 1e-6) << end_ns;
  }
}

// Λ(Λ⁻¹(x)) = x to within what half a nanosecond is worth, from a standstill to a constant, and
// with the high point first.
TEST(RateProfile, SineInverse) {
  for (const auto& [from, to] : {std::pair{0.0, 300.0},
                                 {300.0, 0.0},
                                 {1.0, 1e6},
                                 {1e6, 1.0},
                                 {100.0, 300.0},
                                 {300.0, 100.0},
                                 {200.0, 200.0},
                                 {0.0, 1e6},
                                 {199.9999, 200.0},
                                 {1e-6, 3.0}}) {
    const RateSegment segment = sine(from, to, 7 * kSecond, RateSegment::kEndless);
    const double per_period = (from + to) / 2 * 7;
    std::mt19937_64 random(7);
    std::vector<double> counts;
    for (int i = 0; i < 20'000; ++i) {
      counts.push_back(std::ldexp(static_cast<double>(random() >> 11), -53) * 3 * per_period);
      counts.push_back(std::ldexp(counts.back(), -20));  // near the start, too
    }
    std::sort(counts.begin(), counts.end());
    double before_ns = 0;
    for (const double count : counts) {
      const double time_ns = sine_time_ns(segment, count);
      ASSERT_GE(time_ns, before_ns - 1e-3) << from << ".." << to << " at " << count;
      before_ns = time_ns;
      const auto whole_ns = static_cast<int64_t>(time_ns + 0.5);
      const double bound = std::max(from, to) * 0.51e-9 + 1e-13 * count;
      ASSERT_NEAR(sine_count(segment, whole_ns), count, bound)
          << from << ".." << to << " at " << count;
    }
  }
}

TEST(RateProfile, StagesWithoutLoadAreNeverGiven) {
  const RateProfile profile({{"a", {linear(0, 0, 5 * kSecond)}},
                             {"b", {linear(10, 10, 10 * kSecond)}},
                             {"c", {linear(0, 0, 2 * kSecond), linear(0, 0, 3 * kSecond)}},
                             {"d", {linear(0, 100, 10 * kSecond)}},
                             {"e", {linear(0, 0, 5 * kSecond)}}});
  EXPECT_EQ(profile.end_ns(), 35 * kSecond);
  EXPECT_DOUBLE_EQ(profile.count_until(RateSegment::kEndless), 600);
  EXPECT_EQ(profile.time_of(0), 5 * kSecond);
  EXPECT_EQ(profile.time_of(99), 5 * kSecond + 99 * kSecond / 10);
  EXPECT_EQ(profile.time_of(100), 20 * kSecond);
  EXPECT_EQ(profile.time_of(150), 20 * kSecond + 3'162'277'660);  // √10 s
  EXPECT_EQ(profile.time_of(600), RateSegment::kEndless);
  EXPECT_LT(profile.time_of(599.999), 30 * kSecond);
  EXPECT_DOUBLE_EQ(profile.count_until(17 * kSecond), 100);
  EXPECT_EQ(profile.rate_at(16 * kSecond), 0);
  EXPECT_EQ(profile.rate_at(25 * kSecond), 50);
  EXPECT_EQ(profile.rate_at(35 * kSecond), 0);

  EXPECT_EQ(profile.stage_count(), 5U);
  EXPECT_EQ(profile.stage_start_ns(0), 0);
  EXPECT_EQ(profile.stage_start_ns(3), 20 * kSecond);
  EXPECT_EQ(profile.stage_at(0), 0U);
  EXPECT_EQ(profile.stage_at(5 * kSecond - 1), 0U);
  EXPECT_EQ(profile.stage_at(5 * kSecond), 1U);
  EXPECT_EQ(profile.stage_at(20 * kSecond), 3U);
  EXPECT_EQ(profile.stage_at(99 * kSecond), 4U);
}

TEST(RateProfile, NoLoadAtAll) {
  const RateProfile profile = profile_of({linear(0, 0, RateSegment::kEndless)});
  EXPECT_EQ(profile.time_of(0), RateSegment::kEndless);
  EXPECT_EQ(profile.count_until(kDay), 0);
}

// The walk that remembers its piece gives what the search gives.
TEST(RateProfile, WalkAgreesWithSearch) {
  std::vector<RateSegment> segments;
  std::mt19937_64 random(11);
  for (int i = 0; i < 500; ++i) {
    const auto from = static_cast<double>(random() % 50);
    const auto to = static_cast<double>(random() % 50);
    const auto duration_ns = static_cast<int64_t>(random() % kSecond + 1);
    segments.push_back(i % 7 == 0   ? linear(0, 0, duration_ns)
                       : i % 5 == 0 ? sine(from, to, kSecond / 3, duration_ns)
                                    : linear(from, to, duration_ns));
  }
  const RateProfile profile = profile_of(segments);
  const double total = profile.count_until(profile.end_ns());
  size_t piece = 0;
  int64_t before_ns = 0;
  for (double count = 0; count < total; count += 0.37) {
    const int64_t time_ns = profile.time_of(count, piece);
    ASSERT_EQ(time_ns, profile.time_of(count)) << count;
    ASSERT_GE(time_ns, before_ns);
    ASSERT_NEAR(profile.count_until(time_ns), count, 1e-7);
    before_ns = time_ns;
  }
}

TEST(RateProfile, MoreTimeThanThereIs) {
  const RateProfile profile =
      profile_of({linear(1, 2, RateSegment::kEndless - 1), linear(1, 2, RateSegment::kEndless - 1),
                  linear(5, 7, RateSegment::kEndless - 1)});
  EXPECT_EQ(profile.end_ns(), RateSegment::kEndless);
  EXPECT_GT(profile.time_of(1e9), 0);
  EXPECT_FALSE(std::isnan(profile.count_until(RateSegment::kEndless)));
}

}  // namespace
}  // namespace carronade::pace
