// HOT. What the answer to a request depends on, read from the request's own bytes.
#pragma once

#include <string_view>

#include "http/request_writer.h"

namespace carronade::load {

struct RequestLine {
  bool head = false;        // its answer has no body
  bool idempotent = false;  // may be sent again after an idle close
};

// `request` begins with its method and a space.
inline RequestLine read_request_line(std::string_view request) {
  const std::string_view method = request.substr(0, request.find(' '));
  return {method == "HEAD", http::is_idempotent(method)};
}

}  // namespace carronade::load
