// What record_queue.h and record_queue.cc cost a worker for each answer.
#include <benchmark/benchmark.h>

#include <atomic>
#include <string>
#include <string_view>
#include <thread>

#include "cli/record_queue.h"

namespace carronade::cli {
namespace {

constexpr std::string_view kHead = "0123456789abcdef0123456789abcdef";
constexpr std::string_view kTail = "GET http://127.0.0.1:8080/index.html";

// Both ends on one thread: the copying alone.
void push_and_pop(benchmark::State& state) {
  RecordQueue queue(1 << 20);
  std::string message;
  for (auto _ : state) {
    queue.push({kHead, kTail});
    benchmark::DoNotOptimize(queue.pop(message));
  }
}
BENCHMARK(push_and_pop);

// The worker's side while another thread takes the messages out.
void push_to_a_thread(benchmark::State& state) {
  RecordQueue queue(1 << 20);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    std::string message;
    while (!done.load(std::memory_order_relaxed)) {
      while (queue.pop(message)) benchmark::DoNotOptimize(message.data());
    }
  });
  for (auto _ : state) benchmark::DoNotOptimize(queue.push({kHead, kTail}));
  done.store(true);
  writer.join();
  state.counters["lost"] = static_cast<double>(queue.lost());
}
BENCHMARK(push_to_a_thread);

// A writer that has stopped taking: what a lost message costs.
void push_when_full(benchmark::State& state) {
  RecordQueue queue(1 << 10);
  while (queue.push({kHead, kTail})) {
  }
  for (auto _ : state) benchmark::DoNotOptimize(queue.push({kHead, kTail}));
}
BENCHMARK(push_when_full);

}  // namespace
}  // namespace carronade::cli
