// Cost of one WebSocket message from its frame to the frame that echoes it, without the kernel,
// and of the reader alone on long messages.
#include <benchmark/benchmark.h>

#include <string>

#include "server/echo_session.h"
#include "server/echo_test_frames.h"
#include "server/message_reader.h"
#include "server/worker_kit.h"

namespace carronade::server {
namespace {

constexpr int kDepth = 100;

void echo(benchmark::State& state) {
  net::Loop loop;
  const auto transport = net::make_plain_transport(true);
  const ServerSpec spec;
  const BodySource bodies;
  StatsBoard board(1);
  WorkerKit kit{spec,   loop,  *transport,      *transport,
                bodies, board, board.worker(0), Behaviour(spec, 0, nullptr)};
  AnswerSender sender;
  EchoSession session(Route(), 0);
  const std::string payload(static_cast<size_t>(state.range(0)), 'm');
  std::string batch;
  for (int i = 0; i < kDepth; ++i) batch += text_frame(payload);
  for (auto _ : state) {
    std::string_view rest = batch;
    kit.out.clear();
    while (session.take_one(rest, sender, kit)) {
    }
    benchmark::DoNotOptimize(kit.out.data());
  }
  if (board.worker(0).malformed.get() > 0) state.SkipWithError("a frame was refused");
  state.SetItemsProcessed(static_cast<int64_t>(board.worker(0).served.get()));
}
BENCHMARK(echo)->Arg(16)->Arg(1024);

void read_message(benchmark::State& state) {
  const std::string bytes = text_frame(std::string(static_cast<size_t>(state.range(0)), 'm'));
  MessageReader reader;
  for (auto _ : state) {
    const MessageStep step = reader.step(bytes);
    if (step.kind != MessageStep::Kind::kMessage) state.SkipWithError("refused");
    benchmark::DoNotOptimize(step.payload);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(read_message)->Arg(16)->Arg(64 * 1024);

}  // namespace
}  // namespace carronade::server
