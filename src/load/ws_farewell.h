// The closing handshakes of WebSockets that we end (RFC 6455 7.1): each gets a close frame 1000 at
// once; its answer is awaited beside the run, and at the end of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "carronade/websocket_result.h"
#include "load/connection.h"
#include "net/transport.h"
#include "stats/recorder.h"

namespace carronade::load {

class WsFarewell {
 public:
  // `most` sockets wait at a time: one more closes the one that has waited for longest.
  WsFarewell(WebSocketResult& result, stats::Recorder& recorder, size_t most)
      : result_(result), recorder_(&recorder), most_(most) {}

  // Closes the connection's socket, if it has one. That of a WebSocket is taken over when a close
  // frame can be sent: not within a message that has left in part. The transport must outlive
  // this.
  void hang_up(Connection& c, net::Transport& transport);
  // Closes those that were answered, and those that have waited for half a second.
  void collect(int64_t now_ns);
  // The recorder is finished: bytes are counted no more.
  void end_counting() { recorder_ = nullptr; }
  // Reads until every server has answered or closed, or `wait_ns` or half a second are over, and
  // closes. What messages come meanwhile are not counted. A host that turns the run itself may be
  // the server too, and is not to be held up: it gives 0.
  void finish(int64_t wait_ns);

 private:
  struct Parting {
    net::Stream stream;
    std::unique_ptr<WebSocket> ws;
    net::Transport* transport;
    int64_t since_ns;
  };
  void part(Connection& c, net::Transport& transport);
  // True when nothing more is to come.
  bool read(Parting& parting);
  static void close(Parting& parting) { parting.transport->close(parting.stream); }

  WebSocketResult& result_;
  stats::Recorder* recorder_;
  const size_t most_;
  std::deque<Parting> partings_;  // the oldest first
};

}  // namespace carronade::load
