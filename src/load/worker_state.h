// What the parts of one worker share. One thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

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
  uint16_t preferred_address = 0;  // the one that worked last

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
  // Its connection was closed: an answer that was not whole is forgotten.
  void start_again() {
    if (!complete) response.clear();
  }
};

struct WorkerState {
  const WorkerPlan& plan;
  const LoadPlan& run;
  RunSignals& signals;
  net::Loop loop;
  stats::Recorder recorder;
  pace::Budget budget;
  http::HeadBufferPool head_buffers;
  http::H1Feed feed;
  std::vector<TargetState> targets;
  std::vector<char> receive_buffer;
  std::vector<Connection> connections;
  // Slots from here on are parked: a closed loop gives them no request for now.
  const Connection* first_parked;
  std::unique_ptr<OpenLoop> open_loop;       // null in a closed loop
  std::unique_ptr<ExchangeCapture> capture;  // null when not wanted

  WorkerState(const WorkerPlan& worker_plan, RunSignals& run_signals);

  // Rolls windows and intervals over, of both recorders at the same answer.
  void advance(int64_t now_ns) {
    if (recorder.advance(now_ns) && open_loop) open_loop->recorder.advance(now_ns);
  }
  TargetState& target_of(const Connection& c) { return targets[c.target]; }
  // Counts an error; `requests` sent requests ended by it. Bail-out follows from it.
  void count_error(ErrorKind kind, Phase phase, const std::string& text, uint32_t requests);
};

}  // namespace carronade::load
