// Cost of one request from its bytes to the bytes of its answer, without the kernel: a
// connection over a transport that is memory, 100 requests a read.
#include <benchmark/benchmark.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <string>

#include "server/answer.h"
#include "server/answer_sender.h"
#include "server/behaviour.h"
#include "server/server_connection.h"
#include "server/server_stats.h"
#include "server/worker_kit.h"

namespace carronade::server {
namespace {

constexpr int kDepth = 100;

// Gives the same bytes at every read and takes all that is written.
class MemoryTransport final : public net::Transport {
 public:
  explicit MemoryTransport(std::string_view target) {
    for (int i = 0; i < kDepth; ++i) {
      input_ += "GET ";
      input_ += target;
      input_ += " HTTP/1.1\r\nHost: 127.0.0.1:7357\r\n\r\n";
    }
  }
  net::IoResult handshake(net::Stream&) override { return {net::IoStatus::kOk}; }
  net::IoResult read(net::Stream&, char* into, size_t) override {
    std::copy(input_.begin(), input_.end(), into);
    return {net::IoStatus::kOk, input_.size(), true};
  }
  net::IoResult write(net::Stream&, const char*, size_t size) override {
    return {net::IoStatus::kOk, size};
  }
  net::IoResult discard(net::Stream&, size_t size) override { return {net::IoStatus::kOk, size}; }
  bool can_discard() const override { return false; }
  void close(net::Stream& stream) override { stream.fd.reset(); }
  std::string failure_text() const override { return ""; }

 private:
  std::string input_;
};

void serve(benchmark::State& state, std::string_view target, const ServerSpec& spec) {
  net::Loop loop;
  MemoryTransport transport(target);
  const BodySource bodies;
  StatsBoard board(1);
  WorkerKit kit{spec,   loop,  transport,       transport,
                bodies, board, board.worker(0), Behaviour(spec, 0, nullptr)};
  ServerConnection connection(base::UniqueFd(eventfd(0, EFD_CLOEXEC)), 0, false);
  const net::Loop::Event event{0, EPOLLIN};
  for (auto _ : state) {
    if (connection.on_event(event, kit) != ServerConnection::Verdict::kKeep) {
      state.SkipWithError("the connection was closed");
    }
  }
  connection.close(kit);
  state.SetItemsProcessed(static_cast<int64_t>(board.worker(0).served.get()));
}

// Equal requests, whose answer is remembered.
void repeated(benchmark::State& state) { serve(state, "/", ServerSpec()); }
// Each answer is made anew, since its status is drawn.
void drawn(benchmark::State& state) {
  ServerSpec spec;
  spec.error_status = 503;
  spec.error_percent = 1;
  serve(state, "/", spec);
}
// Answers pass through the queue; their bodies are sent from where they lie.
void long_bodies(benchmark::State& state) { serve(state, "/bytes/65536", ServerSpec()); }

BENCHMARK(repeated);
BENCHMARK(drawn);
BENCHMARK(long_bodies);

}  // namespace
}  // namespace carronade::server
