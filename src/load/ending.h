// What becomes of the requests in flight when their connection ends: each is counted as failed
// once, or kept to be sent once more. Afterwards `inflight` holds only those to be sent again.
#pragma once

#include <string>

#include "load/worker_state.h"

namespace carronade::load {

// An answer said that the server closes after it: what was pipelined behind it was not read
// (RFC 9112 9.6). Idempotent requests are sent again, as often as it takes, since each such
// socket gave an answer; the others failed.
void end_announced(WorkerState& worker, Connection& c);

// The connection was closed or reset by the peer. A half-received answer is a truncated one.
// Requests without a byte of an answer are retried when the socket had answered before, they
// are idempotent and had no second chance yet; the others failed with `kind`.
void end_by_peer(WorkerState& worker, Connection& c, ErrorKind kind, Phase phase,
                 const std::string& text);

// What a WebSocket's close frame means to the messages in flight.
std::string closed_text(WorkerState& worker, const Connection& c, uint16_t code);

// We end it ourselves, for a fault in the peer's bytes: all in flight are lost.
void end_by_us(WorkerState& worker, Connection& c, ErrorKind kind, Phase phase,
               const std::string& text);

// The oldest request had no complete answer in time, or (with none in flight) the peer has not
// read for so long: all in flight are lost, the younger ones with the connection.
void end_overdue(WorkerState& worker, Connection& c, int64_t now_ns);

}  // namespace carronade::load
