// What a run sends when its requests are not the same bytes each time, and who hears every answer:
// scripts, data files, callbacks of a host language. Implemented by the user of the library.
//
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
  int64_t latency_ns = 0;   // last byte − due; in a closed loop due is sent
  uint64_t wire_bytes = 0;  // head and body as received
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
};

// Pay for what was asked: each wish costs time per response.
struct SourceWants {
  bool requests = true;    // next() is asked; false: the targets' own requests are sent
  bool responses = false;  // on_response() for each answer; bodies and heads imply it
  bool heads = false;      // Response::head and trailers
  bool bodies = false;     // Response::body, kept in memory until it is whole
  bool losses = false;     // on_loss()
};

enum class NextRequest : uint8_t {
  kGiven,         // the request was appended
  kLastOnSocket,  // the same, and the server will close the connection behind its answer
  kNone,          // the source is at its end: nothing more for any connection of this worker
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
};

// Makes the source of worker `worker` of `workers`. Called before the threads start, on the
// thread that starts the run.
using MakeSource = std::function<std::unique_ptr<RequestSource>(uint32_t worker, uint32_t workers)>;

}  // namespace carronade
