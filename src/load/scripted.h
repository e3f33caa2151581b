// What a connection has beyond the lean path when a RequestSource takes part in the run.
#pragma once

#include <optional>

#include "load/response_tap.h"
#include "load/sourced_requests.h"

namespace carronade::load {

struct Scripted {
  bool makes_requests = false;  // `requests` are sent, not the target's own
  SourcedRequests requests;
  std::optional<ResponseTap> tap;  // when heads or bodies are wanted
  bool last_on_socket = false;     // the server will close behind what was taken last
  bool destroyed = false;          // by Run::destroy

  bool takes_no_more() const { return last_on_socket || destroyed; }
};

}  // namespace carronade::load
