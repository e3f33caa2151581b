// HOT. The side of ConnectionIo that speaks WebSocket.
#include <string>

#include "base/clock.h"
#include "load/connection_io.h"
#include "load/ending.h"

namespace carronade::load {

// Nothing is on its way that a message could answer: in an exchange that goes on, its next message
// has not left.
bool ConnectionIo::awaits_nothing(const Connection& c) const {
  return c.inflight.empty() || (worker_.wants.follow_ups && c.resend > 0);
}

// The messages in `bytes`: each answers the oldest one in flight.
After ConnectionIo::absorb_frames(Connection& c, std::string_view bytes, int64_t now_ns) {
  http::WsSession& session = c.ws->session;
  while (!bytes.empty()) {
    const bool unasked = c.ws->unasked || awaits_nothing(c);
    const bool one = unasked || (c.scripted != nullptr && c.scripted->tap);  // the tap keeps one
    const uint32_t limit = one ? 1 : c.inflight.total();
    const size_t used = session.feed(bytes, limit, sink_of(c), c.ws->control_out, worker_.feed);
    bytes.remove_prefix(used);
    count_frames(c);
    if (unasked) {
      drop_unasked(c);
    } else {
      const After after = finish_batch(c, now_ns);
      if (after != After::kKeep) return after;
      if (worker_.feed.began_here) c.first_byte_ns = now_ns;
    }
    c.ws->unasked = session.mid_message() && (c.ws->unasked || awaits_nothing(c));
    if (worker_.feed.fault || session.closed()) return end_frames(c);
  }
  return send_control(c);
}

// A message that came with nothing in flight.
void ConnectionIo::drop_unasked(Connection& c) {
  if (worker_.feed.count == 0) return;
  worker_.websocket.unasked_messages += worker_.feed.count;
  c.ws->unasked = false;
  if (worker_.capture && &c == &worker_.connections.front()) {
    worker_.capture->drop(worker_.feed.responses[0].wire_bytes);
  }
  if (c.expectation) (void)c.expectation->take_mismatches();
  if (c.scripted != nullptr && c.scripted->tap) c.scripted->tap->forget();
}

void ConnectionIo::count_frames(Connection& c) {
  const http::WsSession::Counts& counts = c.ws->session.counts();
  WebSocketResult& total = worker_.websocket;
  total.text_messages += counts.text_messages;
  total.binary_messages += counts.binary_messages;
  total.pings += counts.pings;
  total.pongs += counts.pongs;
  c.ws->session.clear_counts();
}

// The server closes, or broke the protocol: either way it is told, if it still listens.
After ConnectionIo::end_frames(Connection& c) {
  constexpr uint32_t kMask = 0x3C6EF372;
  if (worker_.feed.fault) {
    http::append_ws_close(c.ws->control_out, c.ws->session.fault_code(), kMask);
    (void)send_control(c);
    c.ws->close_sent = true;
    const std::string text =
        "parse " + worker_.target_of(c).address(c).text() + ": " + worker_.feed.fault->detail;
    const ErrorKind kind = worker_.feed.fault->kind;
    if (c.inflight.empty() && c.answered_here == 0) {
      return end_of_connection(c, kind, Phase::kParse, text);
    }
    if (c.inflight.empty()) worker_.count_error(c, kind, Phase::kParse, text, 0);
    end_by_us(worker_, c, kind, Phase::kParse, text);
    return After::kReopen;
  }
  const uint16_t code = c.ws->session.closed().value_or(0);
  ++worker_.websocket.closes_by_code[code];
  (void)send_control(c);
  if (c.inflight.empty() && c.answered_here > 0) return After::kReopen;
  return end_of_connection(c, ErrorKind::kClosedBeforeResponse, Phase::kRead,
                           closed_text(worker_, c, code));
}

// Control frames go out between messages.
After ConnectionIo::send_control(Connection& c) {
  std::string& out = c.ws->control_out;
  if (out.empty() || !(c.ws->control_begun || c.between_messages())) return After::kKeep;
  net::Transport& transport = *worker_.target_of(c).transport;
  while (!out.empty()) {
    const net::IoResult result = transport.write(c.stream, out.data(), out.size());
    if (result.status == net::IoStatus::kRetry) {
      c.ws->control_begun = true;  // a TLS record may be under way with it
      return After::kKeep;
    }
    // What the server sent before it closed is still to be read: reading finds the end.
    if (result.status == net::IoStatus::kFail) {
      out.clear();
      return After::kKeep;
    }
    worker_.recorder.bytes_sent(result.bytes);
    out.erase(0, result.bytes);
    c.ws->control_begun = !out.empty();
    // A message that waits behind it: the server does read.
    if (c.out_pending > 0) c.phase_start_ns = base::now_ns();
  }
  return After::kKeep;
}

}  // namespace carronade::load
