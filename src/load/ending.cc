#include "load/ending.h"

#include <algorithm>

#include "base/units.h"

namespace carronade::load {
namespace {

void drop_oldest(WorkerState& worker, Connection& c, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (worker.open_loop) worker.open_loop->recorder.lost(c.inflight.oldest_due_ns());
    c.end_oldest(1);
  }
  c.resent_unanswered -= std::min(c.resent_unanswered, count);
}

// Loses the oldest `count` requests in flight to one error.
void lose(WorkerState& worker, Connection& c, uint32_t count, ErrorKind kind, Phase phase,
          const std::string& text) {
  if (count == 0) return;
  worker.count_error(c, kind, phase, text, count);
  drop_oldest(worker, c, count);
}

// Whether all that is in flight may be sent again.
bool idempotent(WorkerState& worker, const Connection& c) {
  if (const SourcedRequests* const own = c.sourced()) return own->idempotent(c.inflight.total());
  return worker.target_of(c).prepared->idempotent;
}

void keep_for_retry(WorkerState& worker, Connection& c) {
  if (!c.inflight.empty()) worker.recorder.retried(c.inflight.total());
  c.resend = c.inflight.total();
}

}  // namespace

void end_announced(WorkerState& worker, Connection& c) {
  const TargetState& target = worker.target_of(c);
  if (!idempotent(worker, c)) {
    lose(worker, c, c.inflight.total(), ErrorKind::kClosedBeforeResponse, Phase::kRead,
         "read " + target.address(c).text() +
             ": closed before response (the answer before it said Connection: close)");
  }
  keep_for_retry(worker, c);
  c.resent_unanswered = 0;
}

void end_by_peer(WorkerState& worker, Connection& c, ErrorKind kind, Phase phase,
                 const std::string& text) {
  if (c.mid_answer() && !c.inflight.empty()) {
    const bool closed = kind == ErrorKind::kClosedBeforeResponse;
    const std::string where = worker.target_of(c).address(c).text();
    lose(worker, c, 1, closed ? ErrorKind::kTruncatedResponse : kind, phase,
         closed ? "read " + where + ": closed in the middle of a response" : text);
  }
  const bool reused = c.answered_here > 0;
  if (!reused || !worker.run.retry_closed || !idempotent(worker, c)) {
    lose(worker, c, c.inflight.total(), kind, phase, text);
  } else {
    lose(worker, c, std::min(c.resent_unanswered, c.inflight.total()), kind, phase, text);
  }
  keep_for_retry(worker, c);
  c.resent_unanswered = c.resend;
}

void end_overdue(WorkerState& worker, Connection& c, int64_t now_ns) {
  const std::string where = worker.target_of(c).address(c).text();
  const std::string limit = base::format_span(worker.run.timeout_ns);
  if (c.inflight.empty()) {
    worker.count_error(c, ErrorKind::kTimeout, Phase::kWrite,
                       "write " + where + ": the server has not read for " + limit, 0);
  }
  lose(worker, c, c.inflight.sent_until(now_ns - worker.run.timeout_ns), ErrorKind::kTimeout,
       Phase::kTimeout, "timeout " + where + ": no complete answer within " + limit);
  lose(worker, c, c.inflight.total(), ErrorKind::kTimeout, Phase::kTimeout,
       "timeout " + where + ": lost with its connection when an earlier request timed out");
  c.resend = c.resent_unanswered = 0;
}

std::string closed_text(WorkerState& worker, const Connection& c, uint16_t code) {
  return "read " + worker.target_of(c).address(c).text() + ": closed by the server with code " +
         std::to_string(code);
}

void end_by_us(WorkerState& worker, Connection& c, ErrorKind kind, Phase phase,
               const std::string& text) {
  lose(worker, c, c.inflight.total(), kind, phase, text);
  c.resend = c.resent_unanswered = 0;
}

}  // namespace carronade::load
