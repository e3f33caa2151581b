// Cost of a look at the clock: each request pays for two.
#include <benchmark/benchmark.h>

#include "base/clock.h"

namespace carronade::base {
namespace {

void monotonic(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(now_ns());
}
void wall(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(unix_now_ns());
}
BENCHMARK(monotonic);
BENCHMARK(wall);

}  // namespace
}  // namespace carronade::base
