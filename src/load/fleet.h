// All connection slots of one worker: opens them in bounded batches, gives each event to its
// connection, reopens what ended, and sweeps for timeouts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "load/connection_io.h"
#include "load/connector.h"
#include "load/dispatcher.h"
#include "load/worker_state.h"
#include "load/ws_farewell.h"

namespace carronade::load {

class Fleet {
 public:
  explicit Fleet(WorkerState& worker)
      : worker_(worker),
        dispatcher_(worker),
        connector_(worker),
        io_(worker, dispatcher_),
        farewell_(worker.websocket, worker.recorder, worker.connections.size()),
        parks_(worker.run.connection_levels.has_value()),
        wanted_(worker.plan.connections - worker.plan.connections_later) {}

  // Begins to connect; goes on by itself as connections are made.
  void start();
  void on_event(const net::Loop::Event& event);
  // Connections whose last read did not drain the socket: no event will come for them.
  bool has_unread() const { return !unread_.empty(); }
  void read_unread();
  // The next requests of the connections that were answered in this turn.
  void send_next();
  // Ends what is overdue. `next_retry_ns` afterwards tells when a back-off is over.
  void sweep(int64_t now_ns);
  void retry_waiting(int64_t now_ns);
  // Open loop: sends what is due, on the connections that are free; opens more when all are busy.
  void dispatch_due(int64_t now_ns);
  // Connecting on demand: a request waits, and a connection could be made for it.
  bool can_connect_more() const;
  // Closed loop: the next requests of the connections whose pause is over.
  void end_pauses(int64_t now_ns);
  // Closes for good the connections that Run::destroy named.
  void end_destroyed();
  // Closed loop: the first `active` slots get requests, the others keep their connections idle.
  void set_active(uint32_t active);
  // Every connection wanted at the start is open, or could not be made.
  bool first_round_over() const { return coming() == 0; }
  // When the first back-off or pause is over; INT64_MAX when nobody waits.
  int64_t next_retry_ns() const {
    if (worker_.pauses.empty()) return next_retry_ns_;
    return std::min(next_retry_ns_, worker_.pauses.front().first);
  }

  // Nothing is left to send. An open loop goes on until its time is over.
  bool all_done() const {
    if (worker_.open_loop) return false;
    return parks_ ? used_up() : done_ == worker_.connections.size();
  }
  // No connection could be made for the length of the timeout, and nothing else would end the run.
  bool gave_up() const { return gave_up_; }
  uint64_t in_flight() const;
  void close_all(bool may_wait);

 private:
  Connection& slot(uint32_t index) { return worker_.connections[index]; }
  uint64_t token(uint32_t index) const {
    return uint64_t{worker_.connections[index].generation} << 32 | index;
  }
  void start_more();
  void make(uint32_t index);
  void after_making(uint32_t index, Connector::Made made);
  After opened(uint32_t index);
  void not_made(uint32_t index, Connector::Made made);
  void ready(uint32_t index);
  void settle(uint32_t index, After after);
  bool reconnect(uint32_t index, After& after);
  void connect_failed(uint32_t index);
  void wait(uint32_t index, int64_t until_ns);
  void finish(uint32_t index);
  void close(Connection& c);
  void hang_up(Connection& c) { farewell_.hang_up(c, *worker_.target_of(c).transport); }
  bool wants_socket(Connection& c);
  bool gives_up(int64_t now_ns);
  void unpark(uint32_t index);
  bool used_up() const;
  // Connections that are being made or are about to be.
  uint32_t coming() const { return connecting_ + busy_ + (wanted_ - next_unstarted_); }
  // Those of them that have no request of their own yet.
  uint32_t coming_free() const {
    return worker_.connects_on_demand() ? wanted_ - next_unstarted_ : coming();
  }
  bool take_for_new(Connection& c);
  void lose_queued(Connection& c);
  void run_io(uint32_t index, After (ConnectionIo::*step)(Connection&));

  WorkerState& worker_;
  Dispatcher dispatcher_;
  Connector connector_;
  ConnectionIo io_;
  WsFarewell farewell_;
  std::vector<uint32_t> unread_;
  std::vector<uint32_t> unread_now_;
  std::vector<uint32_t> answered_now_;
  std::vector<uint32_t> waiting_;
  std::vector<uint32_t> spare_;  // connecting on demand: slots without a connection
  int64_t next_retry_ns_ = INT64_MAX;
  int64_t last_opened_ns_ = 0;
  bool gave_up_ = false;
  bool parks_ = false;  // the number of busy connections changes over the run
  uint32_t wanted_;     // slots to start; an open loop wants more of them when all are busy
  uint32_t next_unstarted_ = 0;
  uint32_t connecting_ = 0;
  uint32_t busy_ = 0;  // slots that wait because the server's Unix backlog is full
  uint32_t done_ = 0;
};

}  // namespace carronade::load
