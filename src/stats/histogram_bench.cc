#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "carronade/histogram.h"
#include "stats/histogram_codec.h"

namespace carronade {
namespace {

// Latencies of a loopback server: median 100 µs, a tail to some ms.
std::vector<int64_t> latencies() {
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> latency(11.5, 0.5);
  std::vector<int64_t> values(1 << 16);
  for (int64_t& value : values) value = static_cast<int64_t>(latency(random));
  return values;
}

Histogram filled() {
  Histogram h;
  for (const int64_t value : latencies()) h.record(value);
  return h;
}

void record(benchmark::State& state) {
  const std::vector<int64_t> values = latencies();
  Histogram h;
  size_t i = 0;
  for (auto _ : state) h.record(values[i++ & (values.size() - 1)]);
  benchmark::DoNotOptimize(h.count());
}
BENCHMARK(record);

// What happens when a second is over: keep it, add it, clear it. The clearing needs a refill,
// so that a copy is in the measured time too; `copy` alone tells how much.
void copy(benchmark::State& state) {
  const Histogram h = filled();
  Histogram second;
  for (auto _ : state) {
    second = h;
    benchmark::DoNotOptimize(second.count());
  }
}
BENCHMARK(copy);

void copy_encode_merge_reset(benchmark::State& state) {
  const Histogram h = filled();
  Histogram second, total;
  for (auto _ : state) {
    second = h;
    benchmark::DoNotOptimize(stats::encode_histogram(second));
    total.merge(second);
    second.reset();
  }
  benchmark::DoNotOptimize(total.count());
}
BENCHMARK(copy_encode_merge_reset);

void percentile(benchmark::State& state) {
  const Histogram h = filled();
  for (auto _ : state) benchmark::DoNotOptimize(h.percentile(99));
}
BENCHMARK(percentile);

}  // namespace
}  // namespace carronade
