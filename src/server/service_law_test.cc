#include "server/service_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"

namespace carronade::server {
namespace {

constexpr int kDraws = 400'000;
constexpr double kMs = 1e6;

ServiceLaw law_of(std::string_view text) {
  const auto law = parse_service(text);
  EXPECT_TRUE(law.has_value()) << law.error().text;
  return *law;
}

std::vector<int64_t> draw(std::string_view text, uint64_t seed, int count) {
  const ServiceLaw law = law_of(text);
  std::vector<int64_t> times;
  for (int k = 0; k < count; ++k) times.push_back(service_ns(law, seed, static_cast<uint64_t>(k)));
  return times;
}

double mean(const std::vector<int64_t>& times) {
  double sum = 0;
  for (const int64_t time : times) sum += static_cast<double>(time);
  return sum / static_cast<double>(times.size());
}

// The share of times up to `limit` differs from the true `share` by less than 4 standard errors.
void expect_share(const std::vector<int64_t>& times, double limit_ns, double share) {
  const auto below = std::count_if(times.begin(), times.end(), [limit_ns](int64_t time) {
    return static_cast<double>(time) <= limit_ns;
  });
  const auto n = static_cast<double>(times.size());
  const double error = std::sqrt(share * (1 - share) / n);
  EXPECT_NEAR(static_cast<double>(below) / n, share, 4 * error) << limit_ns;
}

TEST(ServiceLaw, ParsesAndSaysItAgain) {
  for (const char* text : {"fixed 2ms", "fixed 0s", "exp 1ms", "lognormal 1ms 0.5",
                           "bimodal 95% 1ms, 5% 50ms", "bimodal 99.9% 250µs, 0.1% 1s"}) {
    const std::string again = service_text(law_of(text));
    EXPECT_EQ(service_text(law_of(again)), again);
    EXPECT_EQ(again, text);
  }
  EXPECT_EQ(service_text(law_of("  fixed   2 ms ")), "fixed 2ms");
  EXPECT_EQ(service_text(law_of("exp 3")), "exp 3ms");
  EXPECT_EQ(service_text(law_of("lognormal 1 ms 0.5")), "lognormal 1ms 0.5");
  EXPECT_EQ(service_text(law_of("bimodal 95 %1ms,5 % 50 ms")), "bimodal 95% 1ms, 5% 50ms");
}

TEST(ServiceLaw, RefusesWhatIsNone) {
  for (const char* text : {"",
                           "fixed",
                           "exp",
                           "2ms",
                           "gamma 1ms",
                           "fixed x",
                           "fixed -1ms",
                           "fixed 2h",
                           "exp 0ms",
                           "exp 1ms 2",
                           "lognormal 1ms",
                           "lognormal 0.5",
                           "lognormal 1ms x",
                           "lognormal 1ms -1",
                           "lognormal 1ms nan",
                           "lognormal 1ms 4.5",
                           "lognormal 0ms 1",
                           "bimodal",
                           "bimodal 100% 1ms",
                           "bimodal 95% 1ms, 4% 50ms",
                           "bimodal 95 1ms, 5 50ms",
                           "bimodal 101% 1ms, -1% 2ms",
                           "bimodal 50% 1ms, 25% 2ms, 25% 3ms",
                           "bimodal 95% 1ms, 5%",
                           "bimodal 95% 0s, 5% 1ms"}) {
    const auto refused = parse_service(text);
    ASSERT_FALSE(refused.has_value()) << text;
    const std::string& error = refused.error().text;
    EXPECT_NE(error.find(std::string("'") + text + "'"), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(ServiceLaw, FollowsFromTheSeed) {
  for (const char* text : {"exp 1ms", "lognormal 1ms 0.5", "bimodal 50% 1ms, 50% 50ms"}) {
    EXPECT_EQ(draw(text, 1, 1000), draw(text, 1, 1000)) << text;
    EXPECT_NE(draw(text, 1, 1000), draw(text, 2, 1000)) << text;
  }
}

TEST(ServiceLaw, Fixed) {
  for (const int64_t time : draw("fixed 2ms", 1, 10)) EXPECT_EQ(time, 2'000'000);
}

TEST(ServiceLaw, Exponential) {
  const auto times = draw("exp 1ms", 1, kDraws);
  EXPECT_NEAR(mean(times), kMs, 4 * kMs / std::sqrt(kDraws));
  for (const double share : {0.01, 0.5, 0.9, 0.99, 0.999}) {
    expect_share(times, -std::log(1 - share) * kMs, share);
  }
}

TEST(ServiceLaw, Lognormal) {
  const auto times = draw("lognormal 1ms 0.5", 1, kDraws);
  // Mean and variance of a lognormal with median 1 ms and sigma 0.5.
  const double true_mean = std::exp(0.125) * kMs;
  const double deviation = true_mean * std::sqrt(std::exp(0.25) - 1);
  EXPECT_NEAR(mean(times), true_mean, 4 * deviation / std::sqrt(kDraws));
  // Quantiles of the standard normal: −1.2816, 0, 1.2816, 2.3263, 3.0902.
  for (const auto& [share, z] :
       {std::pair(0.1, -1.281552), std::pair(0.5, 0.0), std::pair(0.9, 1.281552),
        std::pair(0.99, 2.326348), std::pair(0.999, 3.090232)}) {
    expect_share(times, std::exp(0.5 * z) * kMs, share);
  }
}

TEST(ServiceLaw, Bimodal) {
  const auto times = draw("bimodal 95% 1ms, 5% 50ms", 1, kDraws);
  expect_share(times, kMs, 0.95);
  for (const int64_t time : times) ASSERT_TRUE(time == 1'000'000 || time == 50'000'000) << time;
  for (const int64_t time : draw("bimodal 0% 1ms, 100% 2ms", 1, 1000)) EXPECT_EQ(time, 2'000'000);
}

TEST(ServiceLaw, TimesHaveAnEnd) {
  const auto times = draw("lognormal 1h 4", 1, 1000);
  EXPECT_EQ(*std::max_element(times.begin(), times.end()), ServiceLaw::kTimeNsMax);
}

// A generator with the same seed draws gaps from mix(seed, k); service times that followed them
// would make another queue of it.
TEST(ServiceLaw, IndependentOfAGeneratorWithTheSameSeed) {
  const auto times = draw("exp 1ms", 1, kDraws);
  double together = 0;
  for (int k = 0; k < kDraws; ++k) {
    const double gap = -std::log(base::positive_unit_from(base::mix(1, static_cast<uint64_t>(k))));
    together += (gap - 1) * (static_cast<double>(times[static_cast<size_t>(k)]) / kMs - 1);
  }
  EXPECT_NEAR(together / kDraws, 0, 4 / std::sqrt(kDraws));
}

}  // namespace
}  // namespace carronade::server
