// Makes one connection: every address of the target in turn, then what it needs of a tunnel
// through a proxy, TLS and a WebSocket handshake, in this order.
#pragma once

#include <cstdint>
#include <string>

#include "load/worker_state.h"

namespace carronade::load {

class Connector {
 public:
  enum class Made : uint8_t {
    kPending,  // an event or the timeout sweep will tell more
    kOpen,     // requests may flow
    kBusy,     // a Unix backlog is full: try again soon; the socket is to be closed
    kFailed,   // counted as an error; the socket may still have to be closed
  };

  explicit Connector(WorkerState& worker) : worker_(worker) {}

  // Begins with the address that worked last. The connection's socket must be closed.
  Made start(Connection& c, uint64_t token);
  // An event came while connecting or handshaking.
  Made on_ready(Connection& c, uint64_t token);
  // Whether the present attempt has taken too long by `now_ns`.
  bool late(const Connection& c, int64_t now_ns) const;
  // Why the last attempt that failed did so.
  struct Failure {
    ErrorKind kind = ErrorKind::kConnectFailed;
    Phase phase = Phase::kConnect;
    std::string text{};
  };
  const Failure& failure() const { return failure_; }
  // It has: goes on to the next address, or fails.
  Made on_timeout(Connection& c, uint64_t token);

 private:
  Made try_address(Connection& c, uint64_t token);
  Made next_address(Connection& c, uint64_t token, int error);
  Made backlog_full(Connection& c);
  const net::Address* source_for(const Connection& c, const net::Address& to) const;
  Made connected(Connection& c);
  HeadExchange::Step exchange(Connection& c, net::Transport& transport);
  Made tunnel(Connection& c);
  Made tunnelled(Connection& c);
  Made handshake(Connection& c);
  Made secured(Connection& c);
  Made upgrade(Connection& c);
  Made fail(const Connection& c, ErrorKind kind, Phase phase, const std::string& reason);
  Made fail_as(const Connection& c, Failure failure);
  int64_t add_connect_time(Connection& c);
  void open(Connection& c);

  WorkerState& worker_;
  Failure failure_;
};

}  // namespace carronade::load
