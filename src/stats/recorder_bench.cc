#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "stats/recorder.h"

namespace carronade::stats {
namespace {

// One read that brings one response, and the request that follows it: the calls of a closed
// loop, at 100,000 responses a second of simulated time.
void one_response(benchmark::State& state) {
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> latency(11.5, 0.5);
  std::vector<int64_t> values(1 << 16);
  for (int64_t& value : values) value = static_cast<int64_t>(latency(random));

  Recorder recorder({.start_ns = 0, .sample_interval_ns = 1'000'000'000});
  int64_t now_ns = 0;
  size_t i = 0;
  for (auto _ : state) {
    const int64_t value = values[i++ & (values.size() - 1)];
    now_ns += 10'000;
    recorder.advance(now_ns);
    recorder.bytes_received(850);
    recorder.answered(200, value, value - 100, 612, 850);
    recorder.bytes_sent(80);
    recorder.sent(1);
  }
  benchmark::DoNotOptimize(recorder.totals().answered);
}
BENCHMARK(one_response);

// A read that brings a hundred pipelined responses, and the requests that follow them.
void pipelined_batch(benchmark::State& state) {
  Recorder recorder({.start_ns = 0, .sample_interval_ns = 1'000'000'000});
  int64_t now_ns = 0;
  for (auto _ : state) {
    now_ns += 10'000;
    recorder.advance(now_ns);
    recorder.bytes_received(85'000);
    recorder.answered(200, 500'000 + now_ns % 77'777, 500'000, 61'200, 85'000, 100);
    recorder.sent(100);
  }
  benchmark::DoNotOptimize(recorder.totals().answered);
  state.SetItemsProcessed(state.iterations() * 100);
}
BENCHMARK(pipelined_batch);

}  // namespace
}  // namespace carronade::stats
