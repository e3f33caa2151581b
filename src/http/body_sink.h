#pragma once

#include <string_view>

namespace carronade::http {

// Hears the body of the response in progress, in pieces, and its end. For expected bodies.
class BodySink {
 public:
  virtual ~BodySink() = default;
  virtual void on_body(std::string_view piece) = 0;
  virtual void on_response_end() = 0;  // once per finished response, after its last piece
};

}  // namespace carronade::http
