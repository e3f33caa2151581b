// What a connection has beyond the lean path when a RequestSource takes part in the run.
#pragma once

#include <optional>

#include "load/response_tap.h"
#include "load/sourced_requests.h"

namespace carronade::load {

struct Scripted {
  static constexpr int64_t kNoPause = -1;

  bool makes_requests = false;  // `requests` are sent, not the target's own
  SourcedRequests requests;
  std::optional<ResponseTap> tap;     // when heads or bodies are wanted
  int64_t connect_ns = 0;             // of the present socket, until its first answer is told
  int64_t pause_until_ns = kNoPause;  // while the source wants the connection to wait
  uint32_t target = 0;                // of the request that was taken last, when the source chooses
  bool last_on_socket = false;        // the server will close behind what was taken last
  bool destroyed = false;             // by Run::destroy
  bool over = false;                  // the source has nothing more for this connection

  bool takes_no_more() const { return last_on_socket || destroyed; }
  bool pausing() const { return pause_until_ns != kNoPause; }
};

}  // namespace carronade::load
