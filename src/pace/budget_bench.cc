// Cost of asking for permission to send: with a limit it is a division.
#include <benchmark/benchmark.h>

#include "pace/budget.h"

namespace carronade::pace {
namespace {

constexpr uint32_t kSharers = 50;
// More than any benchmark can take.
constexpr uint64_t kAmple = UINT64_MAX / 2;

void take(benchmark::State& state, std::optional<uint64_t> amount) {
  Budget budget(amount, kSharers);
  uint32_t wanted = 1;
  for (auto _ : state) {
    // The compiler shall know neither the wish nor what is left.
    benchmark::DoNotOptimize(wanted);
    benchmark::DoNotOptimize(budget);
    benchmark::DoNotOptimize(budget.take(wanted));
  }
  if (budget.exhausted()) state.SkipWithError("the budget ran out: only empty takes were timed");
}
BENCHMARK_CAPTURE(take, limited, kAmple);
BENCHMARK_CAPTURE(take, unlimited, std::nullopt);

}  // namespace
}  // namespace carronade::pace
