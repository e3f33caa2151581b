// The closing handshakes of WebSockets that we end (RFC 6455 7.1): each gets a close frame 1000 at
// once; the answers are awaited together when the run is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "carronade/websocket_result.h"
#include "load/connection.h"
#include "net/transport.h"

namespace carronade::load {

class WsFarewell {
 public:
  explicit WsFarewell(WebSocketResult& result) : result_(result) {}

  // Closes the connection's socket, if it has one. That of a WebSocket is taken over when a close
  // frame can be sent: not within a message that has left in part. The transport must outlive
  // this.
  void hang_up(Connection& c, net::Transport& transport);
  // Reads until every server has answered or closed, or `wait_ns` or half a second are over, and
  // closes. What messages come meanwhile are not counted. A host that turns the run itself may be
  // the server too, and is not to be held up: it gives 0.
  void finish(int64_t wait_ns);

 private:
  struct Parting {
    net::Stream stream;
    std::unique_ptr<WebSocket> ws;
    net::Transport* transport;
  };
  void part(Connection& c, net::Transport& transport);
  // True when nothing more is to come.
  bool read(Parting& parting);
  static void close(Parting& parting) { parting.transport->close(parting.stream); }

  WebSocketResult& result_;
  std::deque<Parting> partings_;
};

}  // namespace carronade::load
