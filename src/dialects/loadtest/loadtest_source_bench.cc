// What counting an answer and writing an indexed request costs: loadtest_source.h,
// loadtest_source.cc, loadtest_tally.h.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "dialects/loadtest/loadtest_source.h"

namespace carronade::dialects::loadtest {
namespace {

void count_answer(benchmark::State& state) {
  LoadtestTally tally;
  std::atomic<uint64_t> last{0};
  LoadtestSource source(&tally, nullptr, last, 1);
  const Response response{.status = 200, .latency_ns = 1234};
  for (auto _ : state) benchmark::DoNotOptimize(source.on_response(response));
}
BENCHMARK(count_answer);

void write_indexed(benchmark::State& state) {
  Target target{.url = *parse_url("http://127.0.0.1:7357/user/ID?n=ID"), .request = {}};
  target.request.method = "POST";
  target.request.body = "{\"user\": \"ID\"}";
  const IndexText text = *make_index_text("ID", target, std::nullopt);
  std::atomic<uint64_t> last{0};
  LoadtestSource source(nullptr, &text, last, 1);
  std::string out;
  for (auto _ : state) {
    out.clear();
    benchmark::DoNotOptimize(source.next(0, out));
  }
}
BENCHMARK(write_indexed);

}  // namespace
}  // namespace carronade::dialects::loadtest
