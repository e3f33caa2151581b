// The 95 % interval of a percentile holds the truth 93 to 97 times in 100, over simulated runs
// whose law is known: the whole chain from the intervals of a run to the interval in the report.
// The runs are long enough for about ten independent spells of answers above the p99.9. With half
// as many an eighth to a quarter of the runs have no interval for it, and of all runs 6 % a wrong
// one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

#include "base/random.h"
#include "stats/histogram_codec.h"
#include "stats/quantile_ci.h"

namespace carronade::stats {
namespace {

// As many runs as the claim asks for where that takes seconds; unoptimised builds see that the
// chain holds roughly.
#ifdef NDEBUG
constexpr int kRuns = 1000;
constexpr double kLeast = 0.93;
constexpr double kMost = 0.97;
#else
constexpr int kRuns = 60;
constexpr double kLeast = 0.85;
constexpr double kMost = 1;
#endif

constexpr int64_t kWidthNs = 200'000'000;
constexpr std::array<double, 3> kPercents = {50, 99, 99.9};

// The same on every machine, unlike the standard library's distributions.
class Random {
 public:
  explicit Random(uint64_t seed) : seed_(base::mix(seed, 0)) {}
  double uniform() { return base::positive_unit_from(base::mix(seed_, drawn_++)); }
  double exponential() { return -std::log(uniform()); }
  double normal() {
    if (spare_ready_) {
      spare_ready_ = false;
      return spare_;
    }
    const double radius = std::sqrt(2 * exponential());
    const double angle = 2 * M_PI * uniform();
    spare_ = radius * std::sin(angle);
    spare_ready_ = true;
    return radius * std::cos(angle);
  }

 private:
  uint64_t seed_;
  uint64_t drawn_ = 0;
  double spare_ = 0;
  bool spare_ready_ = false;
};

double normal_quantile(double share) {
  double low = -9;
  double high = 9;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2)) / 2 < share ? low : high) = middle;
  }
  return low;
}

// A run as the recorder leaves it.
struct SimulatedRun {
  Histogram latency;
  std::vector<Interval> intervals;
  Histogram open;

  void record(double ns) { open.record(static_cast<int64_t>(ns)); }
  void close() {
    intervals.push_back(
        {static_cast<int64_t>(intervals.size()) * kWidthNs, kWidthNs, encode_histogram(open), ""});
    latency.merge(open);
    open.reset();
  }
};

using Simulate = std::function<void(Random&, SimulatedRun&)>;
using Truth = std::function<double(double share)>;

struct Coverage {
  int covered = 0;
  int given = 0;
};

using Coverages = std::array<Coverage, kPercents.size()>;

// Every second run, from `first`.
Coverages half_coverage(int first, const Simulate& simulate, const Truth& truth) {
  Coverages found;
  SimulatedRun run;
  for (int seed = first; seed <= kRuns; seed += 2) {
    Random random(static_cast<uint64_t>(seed));
    run.latency.reset();
    run.intervals.clear();
    simulate(random, run);
    const DesignEffect effect(run.intervals);
    for (size_t i = 0; i < kPercents.size(); ++i) {
      const int64_t reported = run.latency.percentile(kPercents[i]);
      const auto interval = quantile_interval(run.latency, kPercents[i], effect.at(reported));
      if (!interval) continue;
      EXPECT_LE(interval->low, reported);
      EXPECT_GE(interval->high, reported);
      const double exact = truth(kPercents[i] / 100);
      ++found[i].given;
      if (static_cast<double>(interval->low) <= exact &&
          exact <= static_cast<double>(interval->high)) {
        ++found[i].covered;
      }
    }
  }
  return found;
}

Coverages coverage(const Simulate& simulate, const Truth& truth) {
  Coverages odd;
  std::thread beside([&] { odd = half_coverage(1, simulate, truth); });
  Coverages found = half_coverage(2, simulate, truth);
  beside.join();
  for (size_t i = 0; i < found.size(); ++i) {
    found[i].covered += odd[i].covered;
    found[i].given += odd[i].given;
  }
  return found;
}

void expect_coverage(const Simulate& simulate, const Truth& truth) {
  const auto found = coverage(simulate, truth);
  for (size_t i = 0; i < kPercents.size(); ++i) {
    const double share = static_cast<double>(found[i].covered) / found[i].given;
    SCOPED_TRACE(testing::Message() << "p" << kPercents[i] << ", " << found[i].given << " runs");
    EXPECT_GE(share, kLeast);
    EXPECT_LE(share, kMost);
    // Runs of this length are long enough: hardly any may go without an interval.
    EXPECT_GE(found[i].given, kRuns * 85 / 100);
    testing::Test::RecordProperty(fmt::format("p{}", kPercents[i]), fmt::format("{:.3f}", share));
  }
}

TEST(Coverage, IndependentExponential) {
  const double mean_ns = 1e6;
  const double floor_ns = 5e5;
  expect_coverage(
      [&](Random& random, SimulatedRun& run) {
        for (int window = 0; window < 100; ++window) {
          for (int i = 0; i < 300; ++i) run.record(floor_ns + mean_ns * random.exponential());
          run.close();
        }
      },
      [&](double share) { return floor_ns - std::log(1 - share) * mean_ns; });
}

// AR(1) in normal space, the correlation of neighbours 0.95: an answer that is slow is followed
// by tens of slow ones.
TEST(Coverage, AutocorrelatedLognormal) {
  const double median_ns = 1e6;
  const double sigma = 0.7;
  const double keep = 0.95;
  expect_coverage(
      [&](Random& random, SimulatedRun& run) {
        double state = random.normal();
        for (int window = 0; window < 100; ++window) {
          for (int i = 0; i < 900; ++i) {
            run.record(median_ns * std::exp(sigma * state));
            state = keep * state + std::sqrt(1 - keep * keep) * random.normal();
          }
          run.close();
        }
      },
      [&](double share) { return median_ns * std::exp(sigma * normal_quantile(share)); });
}

// Poisson arrivals at a single server queue with exponential service, half busy: the time in the
// system has t_p = -ln(1 - p) / (µ - λ). The way there and back adds a fixed time.
TEST(Coverage, SingleServerQueue) {
  const double arrival = 4500e-9;  // per ns
  const double service = 9000e-9;
  const double way_ns = 1e5;
  expect_coverage(
      [&](Random& random, SimulatedRun& run) {
        double time_ns = 0;
        double in_system_ns = random.exponential() / (service - arrival);
        for (int window = 1; window <= 100; ++window) {
          while (time_ns < static_cast<double>(window * kWidthNs)) {
            run.record(way_ns + in_system_ns);
            const double gap_ns = random.exponential() / arrival;
            time_ns += gap_ns;
            in_system_ns = std::max(0.0, in_system_ns - gap_ns) + random.exponential() / service;
          }
          run.close();
        }
      },
      [&](double share) { return way_ns - std::log(1 - share) / (service - arrival); });
}

// Latencies that remember for longer than the run can show have no interval, rather than a wrong
// one: here a third of the run.
TEST(Coverage, NoIntervalWhenTheRunIsTooShortForItsMemory) {
  const double keep = 0.9997;
  const auto found = coverage(
      [&](Random& random, SimulatedRun& run) {
        double state = random.normal();
        for (int window = 0; window < 100; ++window) {
          for (int i = 0; i < 100; ++i) {
            run.record(1e6 * std::exp(state));
            state = keep * state + std::sqrt(1 - keep * keep) * random.normal();
          }
          run.close();
        }
      },
      [&](double share) { return 1e6 * std::exp(normal_quantile(share)); });
  for (const Coverage& each : found) {
    EXPECT_LE(each.given, kRuns * 15 / 100);
    EXPECT_LE(each.given - each.covered, kRuns * 10 / 100);
  }
}

}  // namespace
}  // namespace carronade::stats
