// Cost of waiting (epoll_loop.cc) when something is ready: per call, and per ready socket.
#include <benchmark/benchmark.h>

#include <vector>

#include "net/loop.h"
#include "net/net_bench_support.h"

namespace carronade::net {
namespace {

// A worker's timeouts, which never run out here.
constexpr int64_t kTimeoutNs = 100'000'000;

// Level-triggered, so that the sockets stay ready and nothing but the wait is timed.
void wait(benchmark::State& state, int64_t timeout_ns) {
  Loop loop;
  const auto count = static_cast<size_t>(state.range(0));
  std::vector<FdPair> pairs;
  for (size_t i = 0; i < count; ++i) {
    const FdPair& pair = pairs.emplace_back(unix_pair());
    CHECK(loop.add_level(pair.first.get(), i));
    CHECK(send(pair.second.get(), "x", 1, 0) == 1);
  }
  for (auto _ : state) {
    const auto events = loop.wait(timeout_ns);
    if (events.size() != count) return state.SkipWithError("not all were ready");
    benchmark::DoNotOptimize(events.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(wait, forever, Loop::kForever)->Arg(1)->Arg(50);
BENCHMARK_CAPTURE(wait, with_timeout, kTimeoutNs)->Arg(1)->Arg(50);

// As a worker has it: edge-triggered, each socket gets a byte, the wait tells, the bytes are
// read. Most of this is the kernel's send() and recv().
void wake_and_read(benchmark::State& state) {
  Loop loop;
  const auto count = static_cast<size_t>(state.range(0));
  std::vector<FdPair> pairs;
  for (size_t i = 0; i < count; ++i) {
    CHECK(loop.add(pairs.emplace_back(unix_pair()).first.get(), i));
  }
  loop.wait(0);  // a new socket is writable, which is an event
  for (auto _ : state) {
    for (const FdPair& pair : pairs) CHECK(send(pair.second.get(), "x", 1, 0) == 1);
    const auto events = loop.wait(kTimeoutNs);
    if (events.size() != count) return state.SkipWithError("not all were ready");
    char bytes[8];
    for (const Loop::Event& event : events) {
      CHECK(recv(pairs[event.token].first.get(), bytes, sizeof bytes, 0) == 1);
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(wake_and_read)->Arg(1)->Arg(50);

}  // namespace
}  // namespace carronade::net
