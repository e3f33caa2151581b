// What the engine itself costs a request: connection_io with dispatcher, inflight, wire_block,
// the response session and the recorder, over a server in memory. Clock readings are included.
#include <benchmark/benchmark.h>

#include "base/clock.h"
#include "carronade/websocket_frame.h"
#include "load/inflight.h"
#include "load/memory_worker.h"
#include "load/request_line.h"
#include "load/response_tap.h"
#include "load/sourced_requests.h"
#include "load/wire_block.h"
#include "load/worker.h"
#include "net/socket.h"

namespace carronade::load {
namespace {

const std::string kRequest =
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: keep-alive\r\n\r\n";
const std::string kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello world\n";

void BM_RequestAndAnswer(benchmark::State& bench) {
  const auto depth = static_cast<uint32_t>(bench.range(0));
  MemoryWorker worker(kRequest, kAnswer, depth);
  const uint64_t before = worker.answered();
  for (auto _ : bench) worker.turn();
  bench.SetItemsProcessed(static_cast<int64_t>(worker.answered() - before));
}
BENCHMARK(BM_RequestAndAnswer)->Arg(1)->Arg(16)->Arg(100);

// A source that gives the same request each time and takes every answer whole: what
// sourced_requests, request_line and response_tap cost beside the lean path above.
class CopyingSource final : public RequestSource {
 public:
  SourceWants wants() const override { return {.heads = true, .bodies = true}; }
  NextRequest next(uint32_t, std::string& out) override {
    out += kRequest;
    return NextRequest::kGiven;
  }
  bool on_response(const Response& response) override { return !response.body.empty(); }
};

void BM_RequestAndAnswerOfASource(benchmark::State& bench) {
  const auto depth = static_cast<uint32_t>(bench.range(0));
  MemoryWorker worker(kRequest, kAnswer, depth, std::make_unique<CopyingSource>());
  const uint64_t before = worker.answered();
  for (auto _ : bench) worker.turn();
  bench.SetItemsProcessed(static_cast<int64_t>(worker.answered() - before));
}
BENCHMARK(BM_RequestAndAnswerOfASource)->Arg(1)->Arg(16)->Arg(100);

// The same with messages of a WebSocket: websocket_io.
void BM_MessageAndAnswer(benchmark::State& bench) {
  const auto depth = static_cast<uint32_t>(bench.range(0));
  std::string message;
  append_websocket_message(message, "hello world", false, 0x12345678);
  const std::string answer = "\x81\x0Bhello world";
  MemoryWorker worker(message, answer, depth, nullptr, MemoryWorker::Speaks::kWebSocket);
  const uint64_t before = worker.answered();
  for (auto _ : bench) worker.turn();
  bench.SetItemsProcessed(static_cast<int64_t>(worker.answered() - before));
}
BENCHMARK(BM_MessageAndAnswer)->Arg(1)->Arg(16)->Arg(100);

void BM_InflightBatch(benchmark::State& bench) {
  Inflight inflight;
  int64_t now_ns = 0;
  for (auto _ : bench) {
    inflight.push(++now_ns, 100);
    for (int i = 0; i < 100; ++i) {
      benchmark::DoNotOptimize(inflight.oldest_sent_ns());
      inflight.pop();
    }
  }
  bench.SetItemsProcessed(bench.iterations() * 100);
}
BENCHMARK(BM_InflightBatch);

void BM_WireBlockStarts(benchmark::State& bench) {
  const WireBlock block(kRequest, 100);
  uint64_t position = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(block.starts(position, 6000));
    position = block.advance(position, 6000);
  }
}
BENCHMARK(BM_WireBlockStarts);

// A turn of a worker whose one request waits for its answer: one look at its loop.
void BM_IdleTurn(benchmark::State& bench) {
  const auto listener = net::listen_stream(*net::Address::from_ip("127.0.0.1", 0), 1, false);
  LoadPlan run;
  run.timeout_ns = run.sample_interval_ns = 3'600'000'000'000;
  run.targets.push_back({.origin = "silent",
                         .addresses = {net::local_address(listener->get())},
                         .sources = {},
                         .block = WireBlock(kRequest, 1),
                         .openings = {},
                         .sni = "",
                         .verify_host = ""});
  const WorkerPlan plan{.run = &run, .first_slot = 0, .connections = 1, .amount = {}};
  RunSignals signals(1);
  Worker worker(plan, signals);
  worker.open(base::now_ns());
  for (auto _ : bench) worker.turn(false);
}
BENCHMARK(BM_IdleTurn);

}  // namespace
}  // namespace carronade::load
