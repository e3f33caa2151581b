// HOT.
#include "load/connection_io.h"

#include <algorithm>
#include <cerrno>
#include <span>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "load/ending.h"

namespace carronade::load {
namespace {

// Reads of one connection per turn: a fast sender of large bodies must not starve the others.
constexpr int kReadsPerTurn = 4;
// Below this much a copy is cheaper than a second system call for what follows the body.
constexpr uint64_t kDiscardBytes = 64 * 1024;

}  // namespace

After ConnectionIo::on_open(Connection& c) {
  c.out_position = 0;
  const uint32_t ready = c.resend + c.queued;
  c.assigned_here = ready;
  if (c.scripted != nullptr && c.scripted->destroyed) return After::kReopen;
  if (SourcedRequests* const own = c.sourced()) {
    own->rewind();
    c.out_pending = own->bytes_of(0, ready);
    c.scripted->last_on_socket = own->has_last_on_socket(ready);
  } else {
    c.out_pending = ready * worker_.target_of(c).prepared->block.request_size();
  }
  if (c.out_pending > 0) c.phase_start_ns = kNotTried;
  if (c.ws != nullptr && !c.ws->early.empty()) {
    const std::string early = std::exchange(c.ws->early, {});
    const After after = absorb_frames(c, early, base::now_ns());
    if (after != After::kKeep) return after;
  }
  return refill(c);
}

// As many requests as the connection may take on now; returns how many bytes they have.
uint64_t ConnectionIo::take(Connection& c) {
  const uint32_t taken = dispatcher_.take(c);
  if (const SourcedRequests* const own = c.sourced()) {
    return own->bytes_of(c.inflight.total() + c.queued - taken, taken);
  }
  return taken * worker_.target_of(c).prepared->block.request_size();
}

After ConnectionIo::on_due(Connection& c) {
  c.phase_start_ns = kNotTried;
  c.out_pending += take(c);
  const After after = flush(c);
  // Others that are free come first: one request at a time.
  if (after == After::kKeep) dispatcher_.offer(c);
  return after;
}

bool ConnectionIo::overdue(const Connection& c, int64_t now_ns) const {
  if (c.inflight.empty() && c.out_pending == 0) return false;
  const int64_t since_ns = c.inflight.empty() ? c.phase_start_ns : c.inflight.oldest_sent_ns();
  return now_ns - since_ns >= worker_.run.timeout_ns;
}

After ConnectionIo::on_ready(Connection& c) {
  if (c.out_pending > 0 || c.ws != nullptr) {
    const After after = flush(c);
    if (after != After::kKeep) return after;
    // Its answer came before the whole of it had left: nothing else will ask for the next one.
    if (c.out_pending == 0 && c.inflight.empty() && !c.hung_up) {
      const After next = refill(c);
      if (next != After::kKeep) return next;
    }
  }
  return read_turn(c);
}

After ConnectionIo::read_turn(Connection& c) {
  net::Transport& transport = *worker_.target_of(c).transport;
  char* const buffer = worker_.receive_buffer.get();
  for (int reads = 0; reads < kReadsPerTurn; ++reads) {
    const uint64_t discardable = c.session.discardable();
    const bool discard = discardable >= kDiscardBytes && transport.can_discard() &&
                         !c.expectation && !worker_.capture;
    const net::IoResult result = discard
                                     ? transport.discard(c.stream, discardable)
                                     : transport.read(c.stream, buffer, WorkerState::kReceiveBytes);
    if (result.status == net::IoStatus::kRetry) {
      c.unread = false;
      return After::kKeep;
    }
    const int64_t now_ns = base::now_ns();
    worker_.advance(now_ns);
    if (result.status == net::IoStatus::kFail) return on_failure(c, result, Phase::kRead);
    worker_.recorder.bytes_received(result.bytes);
    if (overdue(c, now_ns)) {
      // Whether an answer is too late must not hang on when the sweep comes by.
      end_overdue(worker_, c, now_ns);
      return After::kReopen;
    }
    if (result.bytes == 0) return on_end_of_file(c, now_ns);

    After after;
    if (discard) {
      c.session.discarded(result.bytes, worker_.feed);
      after = finish_batch(c, now_ns);
    } else {
      after = absorb(c, {buffer, result.bytes}, now_ns);
    }
    if (after != After::kKeep) return after;
    if (result.drained && refills_behind_reading(c)) {
      c.unread = false;
      answered_.push_back(static_cast<uint32_t>(&c - worker_.connections.data()));
      return After::kKeep;
    }
    after = refill(c);
    if (after != After::kKeep) return after;
    c.unread = !result.drained || c.hung_up;
    if (!c.unread) return After::kKeep;
  }
  return After::kKeep;
}

http::BodySink* ConnectionIo::sink_of(const Connection& c) {
  if (c.scripted != nullptr && c.scripted->tap) return &*c.scripted->tap;
  return c.expectation.get();
}

http::H1Expect ConnectionIo::expected(const Connection& c) const {
  const PreparedTarget& target = *worker_.target_of(c).prepared;
  http::H1Expect expect{.count = c.inflight.total(), .head = target.head, .http10 = target.http10};
  if (c.scripted == nullptr || c.inflight.empty()) return expect;
  if (const SourcedRequests* const own = c.sourced()) {
    expect.count = own->alike(expect.count);
    expect.head = own->oldest_is_head();
  }
  if (c.scripted->tap) {
    expect.count = 1;  // the tap keeps one answer
    expect.lines = c.scripted->tap->heads();
  }
  return expect;
}

After ConnectionIo::absorb(Connection& c, std::string_view bytes, int64_t now_ns) {
  if (worker_.capture) capture(c, bytes);
  if (c.ws != nullptr) return absorb_frames(c, bytes, now_ns);
  while (!bytes.empty()) {
    if (c.inflight.empty()) return excess(c);
    const size_t used =
        c.session.feed(bytes, expected(c), worker_.head_buffers, sink_of(c), worker_.feed);
    const After after = finish_batch(c, now_ns);
    if (worker_.feed.began_here) c.first_byte_ns = now_ns;
    if (worker_.feed.fault) {
      end_by_us(
          worker_, c, worker_.feed.fault->kind, Phase::kParse,
          "parse " + worker_.target_of(c).address(c).text() + ": " + worker_.feed.fault->detail);
      return After::kReopen;
    }
    if (after != After::kKeep) return after;
    bytes.remove_prefix(used);
    // An exchange goes on with a request that has not left: nothing can be an answer to it.
    if (worker_.wants.follow_ups && c.resend > 0 && !bytes.empty()) return excess(c);
  }
  return After::kKeep;
}

After ConnectionIo::excess(const Connection& c) {
  worker_.count_error(c, ErrorKind::kExcessBytes, Phase::kParse,
                      "parse " + worker_.target_of(c).address(c).text() +
                          ": bytes after the last expected response",
                      0);
  return After::kReopen;
}

// Books the responses in worker_.feed.
void ConnectionIo::book(Connection& c, int64_t now_ns) {
  std::span<const http::H1Response> finished = worker_.feed.finished();
  while (!finished.empty()) {
    // Answers read together to requests sent together have the same times: booked as one.
    const http::H1Response& first = finished.front();
    const size_t most = std::min<size_t>(finished.size(), c.inflight.oldest_count());
    uint64_t body_bytes = first.body_bytes;
    uint64_t wire_bytes = first.wire_bytes;
    uint32_t count = 1;
    for (; count < most && finished[count].status == first.status &&
           finished[count].began_earlier == first.began_earlier;
         ++count) {
      body_bytes += finished[count].body_bytes;
      wire_bytes += finished[count].wire_bytes;
    }
    book_alike(c, first, body_bytes, wire_bytes, count, now_ns);
    finished = finished.subspan(count);
  }
}

void ConnectionIo::book_alike(Connection& c, const http::H1Response& first, uint64_t body_bytes,
                              uint64_t wire_bytes, uint32_t count, int64_t now_ns) {
  const int64_t due_ns = c.inflight.oldest_due_ns();
  const int64_t sent_ns = c.inflight.oldest_sent_ns();
  const int64_t first_ns = first.began_earlier ? c.first_byte_ns : now_ns;
  worker_.recorder.answered(first.status, now_ns - due_ns, first_ns - sent_ns, body_bytes,
                            wire_bytes, count);
  for (uint32_t i = 0; worker_.open_loop && i < count; ++i) {
    worker_.open_loop->recorder.answered(first.status, due_ns, sent_ns, now_ns);
  }
  c.end_oldest(count);
  c.resent_unanswered -= std::min(c.resent_unanswered, count);
  c.answered_here += count;
}

After ConnectionIo::finish_batch(Connection& c, int64_t now_ns) {
  if (worker_.wants.responses) {
    if (worker_.wants.follow_ups && worker_.feed.count > 0 && goes_on(c, now_ns)) return follow(c);
    book_and_tell(c, now_ns);
    if (c.scripted->destroyed) return After::kReopen;
  } else {
    book(c, now_ns);
  }
  if (c.expectation) note_mismatches(c);
  if (worker_.feed.count == 0) return After::kKeep;
  if (worker_.capture && &c == &worker_.connections.front()) {
    worker_.capture->finish(worker_.feed.responses[0].wire_bytes);
  }
  if (!worker_.feed.responses[worker_.feed.count - 1].close_after) return After::kKeep;
  if (!c.inflight.empty()) end_announced(worker_, c);
  return After::kReopen;
}

After ConnectionIo::refill(Connection& c) {
  if (c.hung_up) return After::kKeep;  // no answer can come: read on until end of file
  for (;;) {
    if (c.out_pending == 0) c.phase_start_ns = kNotTried;
    c.out_pending += take(c);
    if (c.out_pending == 0) break;
    const After after = flush(c);
    // In an open loop each call takes one of those that wait.
    if (after != After::kKeep || c.out_pending > 0 || !worker_.open_loop) return after;
  }
  if (!c.inflight.empty() || dispatcher_.keeps_idle(c)) return After::kKeep;
  // Idle: this socket has had its share, or nothing is left to send at all.
  return After::kReopen;
}

After ConnectionIo::flush(Connection& c) {
  TargetState& target = worker_.target_of(c);
  const WireBlock& block = target.prepared->block;
  SourcedRequests* const own = c.sourced();
  if (own != nullptr && c.scripted->target != c.target) return After::kReopen;
  if (c.ws != nullptr && !c.ws->control_out.empty()) {
    const After after = send_control(c);
    if (after != After::kKeep) return after;
    if (c.ws->control_begun) {
      if (c.out_pending > 0) note_blocked(c, base::now_ns());
      return After::kKeep;
    }
  }
  while (c.out_pending > 0) {
    const std::string_view chunk =
        own == nullptr ? block.chunk(c.out_position, c.out_pending) : own->unsent(c.out_pending);
    const int64_t now_ns = base::now_ns();
    const net::IoResult result = target.transport->write(c.stream, chunk.data(), chunk.size());
    if (result.status == net::IoStatus::kRetry) {
      note_blocked(c, now_ns);
      if (c.ws != nullptr) c.ws->message_blocked = true;
      return After::kKeep;
    }
    if (c.ws != nullptr) c.ws->message_blocked = false;
    if (result.status == net::IoStatus::kFail) {
      // The peer may have answered before it closed: that answer is still to be read.
      const bool closed = result.error == EPIPE || result.error == ECONNRESET;
      c.out_pending = 0;
      c.hung_up = true;
      if (closed && !c.inflight.empty()) return read_turn(c);
      return on_failure(c, result, Phase::kWrite);
    }
    c.phase_start_ns = now_ns;
    worker_.recorder.bytes_sent(result.bytes);
    if (own == nullptr) {
      const uint32_t started = block.starts(c.out_position, result.bytes);
      if (started > 0) note_started(c, started, now_ns);
      c.out_position = block.advance(c.out_position, result.bytes);
    } else if (const uint32_t started = own->advance(result.bytes)) {
      note_started(c, started, now_ns);
    }
    c.out_pending -= result.bytes;
  }
  return c.ws != nullptr ? send_control(c) : After::kKeep;
}

// The server does not read.
void ConnectionIo::note_blocked(Connection& c, int64_t now_ns) {
  if (c.phase_start_ns == kNotTried) c.phase_start_ns = now_ns;
  c.arrival_waited = true;  // that is not our lateness
}

void ConnectionIo::note_started(Connection& c, uint32_t started, int64_t now_ns) {
  const uint32_t again = std::min(started, c.resend);
  c.resend -= again;
  const uint32_t fresh = started - again;
  if (fresh == 0) return;
  c.queued -= fresh;
  if (worker_.open_loop) {
    OpenLoop& open = *worker_.open_loop;
    c.inflight.push(c.arrival.due_ns, now_ns, fresh);
    open.recorder.sent(c.arrival.due_ns, c.arrival.seen_ns, now_ns, c.arrival_waited);
  } else if (c.making_ns != 0) {
    c.inflight.push(std::exchange(c.making_ns, 0), now_ns, 1);
    if (fresh > 1) c.inflight.push(now_ns, fresh - 1);
  } else {
    c.inflight.push(now_ns, fresh);
  }
  worker_.advance(now_ns);
  worker_.recorder.sent(fresh);
}

void ConnectionIo::note_mismatches(Connection& c) {
  for (uint32_t n = c.expectation->take_mismatches(); n > 0; --n) {
    worker_.recorder.mismatched();
    worker_.signals.failed(1, worker_.run.bailout);
  }
}

After ConnectionIo::on_end_of_file(Connection& c, int64_t now_ns) {
  if (c.ws == nullptr) {
    c.session.feed_eof(sink_of(c), worker_.feed);
    if (worker_.feed.count > 0) return finish_batch(c, now_ns);
  }
  if (c.inflight.empty() && c.answered_here > 0) return After::kReopen;  // between requests
  return end_of_connection(
      c, ErrorKind::kClosedBeforeResponse, Phase::kRead,
      "read " + worker_.target_of(c).address(c).text() + ": closed before response");
}

After ConnectionIo::end_of_connection(Connection& c, ErrorKind kind, Phase phase,
                                      const std::string& text) {
  const bool by_peer =
      kind == ErrorKind::kClosedBeforeResponse || kind == ErrorKind::kConnectionReset;
  // Never asked anything, in an open loop: it was idle for too long. A server that drops every
  // connection shows as soon as a request is due.
  const OpenLoop* const open = worker_.open_loop.get();
  if (by_peer && open != nullptr && open->started() && !open->has_waiting() &&
      c.assigned_here == 0) {
    return After::kReopenLater;
  }
  if (c.inflight.empty() && c.answered_here == 0) {
    // Accepted and dropped before a request could leave: like a refusal, worth a back-off.
    worker_.count_error(c, kind, phase, text, 0, WorkerState::Queued::kLost);
    return After::kReopenLater;
  }
  (by_peer ? end_by_peer : end_by_us)(worker_, c, kind, phase, text);
  return After::kReopen;
}

After ConnectionIo::on_failure(Connection& c, const net::IoResult& result, Phase phase) {
  TargetState& target = worker_.target_of(c);
  const std::string text = std::string(phase_name(phase)) + " " + target.address(c).text() + ": ";
  const bool by_peer = result.error == ECONNRESET || result.error == EPIPE;
  if (by_peer) {
    return end_of_connection(c, ErrorKind::kConnectionReset, phase,
                             text + base::errno_text(result.error));
  }
  if (result.error == 0) {
    return end_of_connection(c, ErrorKind::kTlsFailed, phase,
                             text + target.transport->failure_text());
  }
  const bool reading = phase == Phase::kRead;
  return end_of_connection(c, reading ? ErrorKind::kReadFailed : ErrorKind::kWriteFailed, phase,
                           text + base::errno_text(result.error));
}

void ConnectionIo::capture(const Connection& c, std::string_view bytes) {
  ExchangeCapture& exchange = *worker_.capture;
  if (&c != &worker_.connections.front() || exchange.complete) return;
  if (exchange.request.empty()) {
    const SourcedRequests* const own = c.sourced();
    exchange.request =
        own == nullptr ? worker_.target_of(c).prepared->block.request() : own->oldest();
  }
  const size_t room = ExchangeCapture::kMaxBytes - exchange.response.size();
  exchange.response.append(bytes.substr(0, room));
}

}  // namespace carronade::load
