// What an answer costs the worker in ab's dialect: ab_source.h, ab_source.cc, ab_tally.h.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "dialects/ab/ab_source.h"

namespace carronade::dialects::ab {
namespace {

constexpr std::string_view kHead =
    "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Tue, 01 Dec 2026 09:14:08 GMT\r\n"
    "Content-Type: text/html\r\nContent-Length: 247\r\n"
    "Last-Modified: Tue, 01 Dec 2026 09:14:07 GMT\r\nConnection: keep-alive\r\n"
    "ETag: \"6b0e8fdf-f7\"\r\nAccept-Ranges: bytes\r\n\r\n";

// keep_alive: the Connection field of each head is looked at.
void answers(benchmark::State& state) {
  AbRun run(false, 1'000'000'000);
  AbSource source(run, 1, state.range(0) != 0, nullptr);
  Response response;
  response.latency_ns = 50'000;
  response.body_bytes = 247;
  response.head = kHead;
  constexpr int kBatch = 1'000'000;
  for (auto _ : state) {
    for (int i = 0; i < kBatch; ++i) source.on_response(response);
    state.PauseTiming();
    std::vector<AbRecord> records;
    run.tallies()[0]->records.move_to(records);
    benchmark::DoNotOptimize(records.data());
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}
BENCHMARK(answers)->ArgName("keep_alive")->Arg(0)->Arg(1);

}  // namespace
}  // namespace carronade::dialects::ab
