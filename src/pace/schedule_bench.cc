// Cost of an arrival, which must stay far below its gap, 1 µs at 1,000,000/s, and of the question
// how long to wait for it, asked once a turn of the loop.
#include <benchmark/benchmark.h>

#include "pace/schedule.h"
#include "pace/sine_rate.h"
#include "pace/wait_policy.h"

namespace carronade::pace {
namespace {

constexpr double kRate = 1e6;
constexpr int64_t kHour = 3'600'000'000'000;
constexpr int64_t kSecond = 1'000'000'000;
using Shape = RateSegment::Shape;

void arrivals_of(benchmark::State& state, const RateSegment& segment, Arrivals arrivals,
                 uint32_t parts) {
  RateSpec spec;
  spec.stages = {{"", {segment}}};
  spec.arrivals = arrivals;
  spec.burst = 10;
  const RateProfile profile(spec.stages);
  Schedule schedule(profile, spec, {0, parts}, Schedule::kOver, std::nullopt);
  for (auto _ : state) {
    benchmark::DoNotOptimize(schedule.next_ns());
    schedule.pop();
    if (schedule.next_ns() == Schedule::kOver) {
      state.SkipWithError("the schedule is over");
      break;
    }
  }
}

constexpr RateSegment kConstant = {Shape::kLinear, kRate, kRate, RateSegment::kEndless, 0};
constexpr RateSegment kRamp = {Shape::kLinear, kRate / 2, kRate * 2, kHour, 0};
constexpr RateSegment kSine = {Shape::kSine, 0, kRate * 2, kHour, 20 * kSecond};

BENCHMARK_CAPTURE(arrivals_of, even, kConstant, Arrivals::kEven, 1);
BENCHMARK_CAPTURE(arrivals_of, jitter, kConstant, Arrivals::kJitter, 1);
BENCHMARK_CAPTURE(arrivals_of, burst, kConstant, Arrivals::kBurst, 1);
BENCHMARK_CAPTURE(arrivals_of, poisson, kConstant, Arrivals::kPoisson, 1);
BENCHMARK_CAPTURE(arrivals_of, poisson_of_8, kConstant, Arrivals::kPoisson, 8);
BENCHMARK_CAPTURE(arrivals_of, even_ramp, kRamp, Arrivals::kEven, 1);
BENCHMARK_CAPTURE(arrivals_of, even_sine, kSine, Arrivals::kEven, 1);
BENCHMARK_CAPTURE(arrivals_of, poisson_sine, kSine, Arrivals::kPoisson, 1);

void sine_inverse(benchmark::State& state) {
  double count = 0;
  for (auto _ : state) benchmark::DoNotOptimize(sine_time_ns(kSine, count += 1));
}
BENCHMARK(sine_inverse);

void rate_profile_search(benchmark::State& state) {
  const RateStage stage = {"", {10'000, {Shape::kLinear, 100, 200, kSecond, 0}}};
  const RateProfile profile({stage});
  double count = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(profile.time_of(count));
    count = count < 1e6 ? count + 997 : 0;
  }
}
BENCHMARK(rate_profile_search);

void wait_policy_turn(benchmark::State& state) {
  WaitPolicy policy(PaceMode::kHybrid, 0, true);
  int64_t now_ns = 0;
  for (auto _ : state) {
    now_ns += 1000;
    benchmark::DoNotOptimize(policy.timeout_ns(now_ns, now_ns + 100'000));
    policy.woke(now_ns - 900, 800, now_ns);
    benchmark::DoNotOptimize(policy);
  }
}
BENCHMARK(wait_policy_turn);

}  // namespace
}  // namespace carronade::pace
