// HOT. The side of ConnectionIo that a RequestSource takes part in.
#include "base/check.h"
#include "http/request_writer.h"
#include "load/connection_io.h"

namespace carronade::load {

// Before it is booked.
Response ConnectionIo::describe(const Connection& c, const http::H1Response& response,
                                int64_t now_ns) const {
  Response told{.connection = worker_.number_of(c),
                .status = response.status,
                .latency_ns = now_ns - c.inflight.oldest_due_ns(),
                .due_ns = c.inflight.oldest_due_ns(),
                .sent_ns = c.inflight.oldest_sent_ns(),
                .first_byte_ns = response.began_earlier ? c.first_byte_ns : now_ns,
                .connect_ns = c.scripted->connect_ns,
                .wire_bytes = response.wire_bytes,
                .body_bytes = response.body_bytes};
  if (c.scripted->tap) {
    told.head = c.scripted->tap->head();
    told.body = c.scripted->tap->body();
    told.trailers = c.scripted->tap->trailers();
  }
  return told;
}

// Whether the source wants the exchange to go on; then its next request is WorkerState::follow_up.
bool ConnectionIo::goes_on(const Connection& c, int64_t now_ns) {
  if (c.scripted->destroyed) return false;
  worker_.follow_up.clear();
  const Response told = describe(c, worker_.feed.responses[0], now_ns);
  return worker_.source->follow_up(told, worker_.follow_up) && !worker_.follow_up.empty();
}

// The next request takes the place of the one in flight, with its times.
After ConnectionIo::follow(Connection& c) {
  Scripted& scripted = *c.scripted;
  const bool closing = worker_.feed.responses[0].close_after || c.out_pending > 0 || c.hung_up ||
                       scripted.last_on_socket;
  if (scripted.tap) scripted.tap->forget();
  if (c.expectation) (void)c.expectation->take_mismatches();  // it is for the last answer
  if (worker_.capture) worker_.capture->start_again();
  scripted.last_on_socket = http::closes_socket(worker_.follow_up);
  scripted.requests.replace_only(worker_.follow_up, scripted.last_on_socket);
  if (worker_.wants.targets) {
    scripted.target = worker_.source->target() % static_cast<uint32_t>(worker_.targets.size());
  }
  c.resend = 1;
  c.resent_unanswered = 0;
  ++c.answered_here;
  ++c.assigned_here;
  if (closing) return After::kReopen;
  c.out_pending = scripted.requests.bytes_of(0, 1);
  c.phase_start_ns = kNotTried;
  return After::kKeep;  // refill() comes next and sends it
}

// As book(), and the source hears of each response. It may destroy the connection meanwhile: then
// the rest is counted and not told.
void ConnectionIo::book_and_tell(Connection& c, int64_t now_ns) {
  Scripted& scripted = *c.scripted;
  for (const http::H1Response& response : worker_.feed.finished()) {
    const Response told = describe(c, response, now_ns);
    scripted.connect_ns = 0;
    book_alike(c, response, response.body_bytes, response.wire_bytes, 1, now_ns);
    if (!scripted.destroyed && !worker_.source->on_response(told)) {
      worker_.recorder.mismatched();
      worker_.signals.failed(1, worker_.run.bailout);
    }
    if (scripted.tap) scripted.tap->forget();
  }
}

}  // namespace carronade::load
