// What a run sends when its requests are not the same bytes each time, and who hears every answer:
// scripts, data files, callbacks of a host language. Implemented by the user of the library.
// Each worker has a source of its own, made by RunSpec::make_source before the run starts and
// called on that worker's thread only; in a run that a host turns, inside Run::turn. It must not
// call back into the Run, except for stop() and, in a run that a host turns, destroy().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "carronade/error.h"

namespace carronade {

// One final answer. Views last until the call that brings it returns.
struct Response {
  uint32_t connection = 0;  // in the numbering of the whole run, from 0
  uint16_t status = 0;
  int64_t latency_ns = 0;     // last byte − due; in a closed loop due is sent
  int64_t due_ns = 0;         // on CLOCK_MONOTONIC, as the next two
  int64_t sent_ns = 0;        // when the socket took the request's first bytes
  int64_t first_byte_ns = 0;  // of the answer
  // How long it took to make the connection (TCP and TLS) for the first answer on it, else 0. In
  // an open loop whose connections are made on demand the latency includes it.
  int64_t connect_ns = 0;
  uint64_t wire_bytes = 0;  // head and body as received
  uint64_t body_bytes = 0;  // after the transfer coding, whether `body` is wanted or not
  std::string_view
      head{};  // status line and header lines, as received, with their line ends; "" unless wanted
  std::string_view body{};      // after the transfer coding; "" unless wanted
  std::string_view trailers{};  // lines as in head; "" unless wanted
};

// Sent requests that got no answer, or (requests = 0) a connection that could not be made.
struct Loss {
  uint32_t connection = 0;
  ErrorKind kind = ErrorKind::kTimeout;
  Phase phase = Phase::kTimeout;
  std::string_view text{};  // as in ErrorCount
  uint32_t requests = 0;
  // On CLOCK_MONOTONIC: when the oldest of them was due. With requests = 0: when the request was
  // due that is lost with its attempt to connect (in a closed loop: when that began); 0: none is.
  int64_t due_ns = 0;
};

// Pay for what was asked: each wish costs time per response.
struct SourceWants {
  bool requests = true;    // next() is asked; false: the targets' own requests are sent
  bool responses = false;  // on_response() for each answer; bodies and heads imply it
  bool heads = false;      // Response::head and trailers
  bool bodies = false;     // Response::body, kept in memory until it is whole
  bool losses = false;     // on_loss()
  // These four are for sources that make the requests; the first two need a pipelining of 1 and
  // are ignored otherwise.
  bool targets = false;     // target() says where each request goes; one that no connection
                            // could be made for is lost, not kept for the next
  bool follow_ups = false;  // follow_up() for each answer
  bool batches = false;     // next() while nothing is in flight, as often as the pipelining says
  bool pauses = false;      // pause_ns() before each request; closed loop only, any pipelining
};

enum class NextRequest : uint8_t {
  kGiven,         // the request was appended
  kLastOnSocket,  // the same, and the server will close the connection behind its answer
  kNone,          // the source is at its end: nothing more for any connection of this worker
  kNoneHere,      // nothing more for this connection (closed loop); over for all, the run ends
};

class RequestSource {
 public:
  virtual ~RequestSource() = default;
  // Asked once, before the run.
  virtual SourceWants wants() const = 0;
  // Appends the bytes of one whole HTTP/1.1 request for the connection, which uses target
  // `connection` mod n of the spec. Called when the request is taken from the budget: just before
  // it is sent on an open connection, or before the connection is made. A request that has to be
  // sent again after an idle close goes out with the same bytes, without another call.
  virtual NextRequest next(uint32_t connection, std::string& out) {
    (void)connection, (void)out;
    return NextRequest::kNone;
  }
  // After the answer was counted and before the next request of its connection is asked for.
  // False: the answer counts as a mismatch, as with RunSpec::expect_body.
  virtual bool on_response(const Response& response) {
    (void)response;
    return true;
  }
  virtual void on_loss(const Loss& loss) { (void)loss; }

  // Which of the spec's targets the request goes to that next() or follow_up() gave just now. A
  // connection that is at another target is closed and made anew there.
  virtual uint32_t target() const { return 0; }
  // Open loop, with wants.targets: where next() will send, so that a connection is chosen that is
  // there already.
  static constexpr uint32_t kAnyTarget = UINT32_MAX;  // not known
  virtual uint32_t upcoming_target() { return kAnyTarget; }
  // Asked before an answer is counted: true when the exchange goes on with the request that was
  // appended to `out`, as a redirect that is followed. Then the answer counts as none, only its
  // bytes do, on_response() does not hear of it, and latency and timeout run on from the first
  // request.
  virtual bool follow_up(const Response& response, std::string& out) {
    (void)response, (void)out;
    return false;
  }
  // How long the connection waits before its next request; ≤ 0: not at all. Asked when it has
  // nothing in flight, before its first request too. No part of any latency.
  virtual int64_t pause_ns(uint32_t connection) {
    (void)connection;
    return 0;
  }
};

// Makes the source of worker `worker` of `workers`. Called before the threads start, on the
// thread that starts the run.
using MakeSource = std::function<std::unique_ptr<RequestSource>(uint32_t worker, uint32_t workers)>;

}  // namespace carronade
