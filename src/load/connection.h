// HOT. One connection slot of a worker: passive state, driven by Fleet (making and ending
// connections) and ConnectionIo (requests and answers).
//
//            Fleet::start            connected        made (the Connector's steps)
//   kUnused ──────────▶ kConnecting ──────────▶ kTunnelling, kHandshaking, kUpgrading ──▶ kOpen
//                          ▲   │ every address failed        │ failed      │ closed, reset,
//                          │   ▼                             ▼             │ fault, timeout
//                       kWaiting (back-off) ◀────────────────┘             │
//                          ▲                                               │
//                          └── kConnecting again while there is something to send; else kDone
//                              (kWaiting first, when it was dropped before a request could leave)
#pragma once

#include <cstdint>
#include <memory>

#include "http/h1_session.h"
#include "load/expectation.h"
#include "load/head_exchange.h"
#include "load/inflight.h"
#include "load/open_loop.h"
#include "load/scripted.h"
#include "load/web_socket.h"
#include "net/transport.h"

namespace carronade::load {

enum class ConnectionState : uint8_t {
  kUnused,       // not started yet
  kConnecting,   // TCP or Unix connect under way
  kTunnelling,   // CONNECT to a proxy
  kHandshaking,  // TLS
  kUpgrading,    // the WebSocket handshake
  kOpen,
  kWaiting,  // until phase_start_ns, after a failure to connect
  kDone,     // nothing more to send
};

struct Connection {
  net::Stream stream;
  http::H1Session session;
  Inflight inflight;

  // The bytes that still have to go out: (resend + queued) requests, less what of the first of
  // them has left already.
  uint64_t out_pending = 0;
  uint64_t out_position = 0;       // in the request being sent
  uint32_t queued = 0;             // taken from the budget, no byte sent yet
  uint32_t resend = 0;             // in `inflight` from a closed connection, to be sent once more
  uint32_t resent_unanswered = 0;  // oldest in `inflight` that had their second chance

  uint64_t assigned_here = 0;  // requests given to the present socket, resends included
  uint64_t answered_here = 0;  // on the present socket: more than 0 means "reused"
  uint64_t quota_used = 0;     // over all sockets of this slot

  // Of connecting or handshaking; in kWaiting when to try again; in kOpen when the socket last
  // took bytes.
  int64_t phase_start_ns = 0;
  int64_t busy_since_ns = 0;  // when the server's Unix backlog was first found full; 0: it is not
  int64_t first_byte_ns = 0;  // of the answer that is half received
  int64_t making_ns = 0;      // since when the socket was being made, if that counts; 0: no more
  std::unique_ptr<Expectation> expectation;
  std::unique_ptr<Scripted> scripted;     // null without a RequestSource
  std::unique_ptr<WebSocket> ws;          // while one is open; null for HTTP
  std::unique_ptr<HeadExchange> opening;  // in kTunnelling and kUpgrading
  Arrival arrival;                        // open loop: the request that is queued

  uint32_t target = 0;      // index into WorkerState::targets
  uint32_t generation = 0;  // of the socket: an event of an older one is stale
  uint16_t address = 0;     // index of the address in use
  uint16_t addresses_tried = 0;
  uint8_t failures_in_row = 0;  // to connect, for the back-off
  ConnectionState state = ConnectionState::kUnused;
  bool opened_before = false;
  bool listed_idle = false;     // open loop: in OpenLoop::idle
  bool listed_roomy = false;    // open loop: in OpenLoop::roomy
  bool arrival_waited = false;  // for a connection
  bool unread = false;          // the last read did not drain the socket
  bool hung_up = false;         // the peer will send no more: read on until end of file

  // Its requests when a source makes them, else null: the target's own are sent.
  SourcedRequests* sourced() const {
    return scripted != nullptr && scripted->makes_requests ? &scripted->requests : nullptr;
  }
  // No request has left in part, nor can have behind the socket's back.
  bool between_messages() const {
    if (ws != nullptr && ws->message_blocked) return false;
    const SourcedRequests* const own = sourced();
    return own == nullptr ? out_position == 0 : own->between_requests();
  }
  bool mid_answer() const {
    return ws != nullptr ? ws->session.mid_message() && !ws->unasked : session.mid_response();
  }
  // Removes the oldest in flight: they are answered or lost.
  void end_oldest(uint32_t count) {
    inflight.pop(count);
    if (SourcedRequests* const own = sourced()) own->pop(count);
  }
};

// What the owner of a connection must do after an I/O step. Calls go down, this comes back up.
enum class After : uint8_t {
  kKeep,         // go on
  kReopen,       // close, and connect again at once if there is something to send
  kReopenLater,  // close, and connect again after a back-off
};

}  // namespace carronade::load
