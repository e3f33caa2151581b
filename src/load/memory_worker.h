// One worker with one open connection to a MemoryServer: the hot path without a kernel, for the
// benchmark and for the instruction-count guard.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "load/connection_io.h"
#include "load/dispatcher.h"
#include "load/memory_server.h"
#include "load/worker_state.h"

namespace carronade::load {

class MemoryWorker {
 public:
  enum class Speaks : uint8_t { kHttp, kWebSocket };

  // Of WebSockets `request` and `answer` are frames.
  MemoryWorker(const std::string& request, const std::string& answer, uint32_t depth,
               std::unique_ptr<RequestSource> source = nullptr, Speaks speaks = Speaks::kHttp)
      : run_(make_run(request, depth)),
        plan_{.run = &run_, .first_slot = 0, .connections = 1, .amount = {}},
        signals_(1),
        state_(plan_, signals_, std::move(source)),
        dispatcher_(state_),
        io_(state_, dispatcher_) {
    state_.targets[0].transport = std::make_unique<MemoryServer>(answer, request.size());
    state_.recorder.start(base::now_ns());
    connection().state = ConnectionState::kOpen;
    if (speaks == Speaks::kWebSocket) connection().ws = std::make_unique<WebSocket>();
    io_.on_open(connection());
  }

  // Reads the answers that are there and sends as many new requests.
  void turn() {
    io_.on_ready(connection());
    if (!io_.answered().empty()) io_.refill(connection());
    io_.answered().clear();
  }
  uint64_t answered() const { return state_.recorder.totals().answered; }

 private:
  static LoadPlan make_run(const std::string& request, uint32_t depth) {
    LoadPlan run;
    run.pipelining = depth;
    run.timeout_ns = 1'000'000'000;
    run.sample_interval_ns = 1'000'000'000;
    run.targets.push_back({.origin = "memory",
                           .addresses = {net::Address()},
                           .resolve_error = {},
                           .sources = {},
                           .block = WireBlock(request, depth),
                           .openings = {},
                           .sni = "",
                           .verify_host = ""});
    return run;
  }
  Connection& connection() { return state_.connections[0]; }

  LoadPlan run_;
  WorkerPlan plan_;
  RunSignals signals_;
  WorkerState state_;
  Dispatcher dispatcher_;
  ConnectionIo io_;
};

}  // namespace carronade::load
