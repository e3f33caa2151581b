// What the parts of one worker share. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carronade/request_source.h"
#include "carronade/run_result.h"
#include "http/head_buffer_pool.h"
#include "http/response.h"
#include "load/connection.h"
#include "load/load_plan.h"
#include "load/open_loop.h"
#include "load/run_signals.h"
#include "net/loop.h"
#include "pace/budget.h"
#include "stats/recorder.h"

namespace carronade::load {

struct TargetState {
  const PreparedTarget* prepared;
  std::unique_ptr<net::Transport> transport;
  std::unique_ptr<net::Transport> tunnel_transport;  // to the proxy; null without CONNECT
  uint16_t preferred_address = 0;                    // the one that worked last

  const net::Address& address(const Connection& c) const { return prepared->addresses[c.address]; }
};

// The first exchange as it was on the wire, for Observer::on_exchange.
struct ExchangeCapture {
  static constexpr size_t kMaxBytes = 64 * 1024;
  std::string request;
  std::string response;
  bool complete = false;

  // The first answer is whole, `wire_bytes` long; others may be behind it.
  void finish(uint64_t wire_bytes) {
    if (!complete && response.size() > wire_bytes) response.resize(wire_bytes);
    complete = true;
  }
  // The first bytes of the answer were none of it.
  void drop(uint64_t bytes) {
    if (!complete) response.erase(0, bytes);
  }
  // Its connection was closed: an answer that was not whole is forgotten.
  void start_again() {
    if (!complete) response.clear();
  }
};

// What a source wants, less what does not fit the run.
SourceWants granted_wants(const RequestSource* source, uint32_t pipelining);

struct WorkerState {
  // A burst of pipelined answers is one read, and stays in the second-level cache.
  static constexpr size_t kReceiveBytes = 256 * 1024;
  const WorkerPlan& plan;
  const LoadPlan& run;
  RunSignals& signals;
  std::unique_ptr<RequestSource> source;  // null: the targets' own requests, and nobody listens
  SourceWants wants;                      // of the source; without one nothing
  bool source_over = false;               // it has no more
  net::Loop loop;
  stats::Recorder recorder;
  pace::Budget budget;
  http::HeadBufferPool head_buffers;
  http::H1Feed feed;
  std::vector<TargetState> targets;
  std::unique_ptr<char[]> receive_buffer;  // of kReceiveBytes
  std::vector<Connection> connections;
  // Slots from here on are parked: a closed loop gives them no request for now.
  const Connection* first_parked;
  std::unique_ptr<OpenLoop> open_loop;       // null in a closed loop
  std::unique_ptr<ExchangeCapture> capture;  // null when not wanted
  std::vector<uint32_t> destroyed;           // slots to close, as Run::destroy asked
  std::string follow_up;                     // request of an exchange that goes on
  std::optional<TlsFacts> tls;               // of the first handshake
  WebSocketResult websocket;
  uint64_t abandoned = 0;  // in flight on connections that it has closed

  WorkerState(const WorkerPlan& worker_plan, RunSignals& run_signals,
              std::unique_ptr<RequestSource> request_source = nullptr);

  // Rolls windows and intervals over, of both recorders at the same answer.
  void advance(int64_t now_ns) {
    if (recorder.advance(now_ns) && open_loop) open_loop->recorder.advance(now_ns);
  }
  TargetState& target_of(const Connection& c) { return targets[c.target]; }
  bool connects_on_demand() const { return run.rate && run.rate->spec.connect_on_demand; }
  // In the numbering of the whole run.
  uint32_t number_of(const Connection& c) const {
    return plan.first_slot + static_cast<uint32_t>(&c - connections.data());
  }
  // Counts an error of the connection; `requests` sent requests ended by it. Bail-out follows
  // from it.
  enum class Queued : uint8_t { kKept, kLost };  // what becomes of a request that is queued
  void count_error(const Connection& c, ErrorKind kind, Phase phase, const std::string& text,
                   uint32_t requests, Queued queued = Queued::kKept);
  int64_t due_of_queued(const Connection& c) const;
  // How many requests its source made for the connection that were not sent for want of a socket.
  uint32_t kept(const Connection& c) const {
    const SourcedRequests* const own = c.sourced();
    return own == nullptr ? 0 : own->size() - c.inflight.total() - c.queued;
  }
  // Whether the source wants the connection to wait before its next request; asks it when it has
  // not said so yet. Then the pause is in `pauses`.
  bool pauses_before_next(Connection& c);
  // When the pauses of connections end, the first one on top (std::push_heap with greater), and
  // whose. An entry may be stale.
  std::vector<std::pair<int64_t, uint32_t>> pauses;
  // Has the source make `wanted` more requests for the connection, which has a `scripted`; those
  // it does not get return to the budget. Returns how many there are.
  uint32_t fetch(Connection& c, uint32_t wanted);
};

}  // namespace carronade::load
