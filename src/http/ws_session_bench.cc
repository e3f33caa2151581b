// Cost of reading a server's WebSocket messages (ws_session, ws_utf8) and of writing a client's
// (ws_frame). Arguments: bytes of a message, messages a feed. Compare with ws_wslay_bench.
// items_per_second counts messages.
#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include "http/ws_bench_frames.h"
#include "http/ws_frame.h"
#include "http/ws_session.h"

namespace carronade::http {
namespace {

void run_feed(benchmark::State& state, uint8_t first, std::string_view text) {
  const int64_t count = state.range(1);
  const std::string bytes = frames(first, text, state.range(0), count);
  WsSession session;
  H1Feed out;
  std::string answers;
  for (auto _ : state) {
    const size_t used = session.feed(bytes, static_cast<uint32_t>(count), nullptr, answers, out);
    if (used != bytes.size() || out.fault) state.SkipWithError("not all read");
    benchmark::DoNotOptimize(out.responses[0].body_bytes);
  }
  state.SetItemsProcessed(state.iterations() * count);
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}

void binary(benchmark::State& state) { run_feed(state, kBinaryFrame, "hello world\n"); }
void ascii(benchmark::State& state) { run_feed(state, kTextFrame, "hello world\n"); }
// Two bytes a character, and a space.
void greek(benchmark::State& state) {
  run_feed(state, kTextFrame, "\xCE\xB1\xCE\xB2\xCE\xB3\xCE\xB4 ");
}

// Ping, answered.
void ping(benchmark::State& state) {
  const std::string bytes = server_frame(0x89, "ping");
  WsSession session;
  H1Feed out;
  std::string answers;
  for (auto _ : state) {
    answers.clear();
    session.feed(bytes, 1, nullptr, answers, out);
    benchmark::DoNotOptimize(answers.data());
  }
  state.SetItemsProcessed(state.iterations());
}

void write_binary(benchmark::State& state) {
  const std::string message(static_cast<size_t>(state.range(0)), 'a');
  std::string out;
  for (auto _ : state) {
    out.clear();
    append_ws_frame(out, WsOpcode::kBinary, message, 0x12345678);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

BENCHMARK(binary)->Args({12, 1})->Args({12, 100})->Args({1000, 1})->Args({65536, 1});
BENCHMARK(ascii)->Args({12, 1})->Args({12, 100})->Args({1000, 1})->Args({65536, 1});
BENCHMARK(greek)->Args({9, 100})->Args({900, 1})->Args({65529, 1});
BENCHMARK(ping);
BENCHMARK(write_binary)->Arg(12)->Arg(1000)->Arg(65536);

}  // namespace
}  // namespace carronade::http
