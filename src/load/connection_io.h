// HOT. Requests out and answers in, on one open connection at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "http/response.h"
#include "load/dispatcher.h"
#include "load/worker_state.h"

namespace carronade::load {

class ConnectionIo {
 public:
  ConnectionIo(WorkerState& worker, Dispatcher& dispatcher)
      : worker_(worker), dispatcher_(dispatcher) {}

  // The connection is open for requests: sends those that wait for it and new ones.
  After on_open(Connection& c);
  // Open loop: a request waits, and this connection is Dispatcher::next_free().
  After on_due(Connection& c);
  // The socket may be read or written. Reads a bounded number of times; c.unread tells that
  // more is there.
  After on_ready(Connection& c);
  // The oldest request waits too long for its answer, or the server does not read what waits to
  // be sent.
  bool overdue(const Connection& c, int64_t now_ns) const;
  // Sends as many new requests as the connection may take on now. Closed loop: also for one that
  // was idle for a while.
  After refill(Connection& c);
  // Slots whose refill is left to the owner, behind the turn's reading, so that no answer is
  // stamped later for another connection's request: those of a closed loop whose requests are the
  // target's own, once their socket is drained.
  std::vector<uint32_t>& answered() { return answered_; }

 private:
  bool refills_behind_reading(const Connection& c) const {
    return !worker_.open_loop && c.scripted == nullptr && c.ws == nullptr && !c.hung_up;
  }
  After read_turn(Connection& c);
  After excess(const Connection& c);
  After absorb(Connection& c, std::string_view bytes, int64_t now_ns);
  After absorb_frames(Connection& c, std::string_view bytes, int64_t now_ns);
  void drop_unasked(Connection& c);
  void count_frames(Connection& c);
  After end_frames(Connection& c);
  bool awaits_nothing(const Connection& c) const;
  After send_control(Connection& c);
  uint64_t take(Connection& c);
  static http::BodySink* sink_of(const Connection& c);
  http::H1Expect expected(const Connection& c) const;
  void book(Connection& c, int64_t now_ns);
  void book_and_tell(Connection& c, int64_t now_ns);
  Response describe(const Connection& c, const http::H1Response& response, int64_t now_ns) const;
  bool goes_on(const Connection& c, int64_t now_ns);
  After follow(Connection& c);
  void book_alike(Connection& c, const http::H1Response& first, uint64_t body_bytes,
                  uint64_t wire_bytes, uint32_t count, int64_t now_ns);
  After finish_batch(Connection& c, int64_t now_ns);
  After flush(Connection& c);
  static void note_blocked(Connection& c, int64_t now_ns);
  void note_started(Connection& c, uint32_t started, int64_t now_ns);
  void note_mismatches(Connection& c);
  After on_end_of_file(Connection& c, int64_t now_ns);
  After on_failure(Connection& c, const net::IoResult& result, Phase phase);
  After end_of_connection(Connection& c, ErrorKind kind, Phase phase, const std::string& text);
  void capture(const Connection& c, std::string_view bytes);

  // Connection::phase_start_ns when bytes wait that no write was tried for yet.
  static constexpr int64_t kNotTried = 0;

  WorkerState& worker_;
  Dispatcher& dispatcher_;
  std::vector<uint32_t> answered_;
};

}  // namespace carronade::load
