// Cost of a random number: a jittered arrival draws one, a Poisson schedule one for each arrival
// of all parts.
#include <benchmark/benchmark.h>

#include "base/random.h"

namespace carronade::base {
namespace {

void mix_to_unit(benchmark::State& state) {
  uint64_t k = 0;
  for (auto _ : state) benchmark::DoNotOptimize(unit_from(mix(1, k++)));
}
BENCHMARK(mix_to_unit);

}  // namespace
}  // namespace carronade::base
