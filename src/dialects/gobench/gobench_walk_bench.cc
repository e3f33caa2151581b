// What gobench_walk.h and gobench_walk.cc cost for each request.
#include <benchmark/benchmark.h>

#include <string>

#include "dialects/gobench/gobench_walk.h"

namespace carronade::dialects::gobench {
namespace {

void next_request(benchmark::State& state) {
  WalkList list;
  for (int i = 0; i < 10; ++i) {
    list.heads.emplace_back(120, 'h');
    list.targets.push_back(0);
  }
  WalkSource source(list);
  std::string out;
  uint32_t connection = 0;
  for (auto _ : state) {
    out.clear();
    benchmark::DoNotOptimize(source.next(connection, out));
    connection = (connection + 1) % 100;
  }
}
BENCHMARK(next_request);

}  // namespace
}  // namespace carronade::dialects::gobench
