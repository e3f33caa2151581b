#pragma once

#include <string_view>

namespace carronade::http {

// Hears the response in progress, in pieces, and its end: of bodies that are compared or kept.
class BodySink {
 public:
  virtual ~BodySink() = default;
  // With H1Expect::lines: the head as received, from the status line to the empty line; the
  // trailer lines behind a chunked body, without the empty line.
  virtual void on_head(std::string_view piece) { (void)piece; }
  virtual void on_trailer(std::string_view piece) { (void)piece; }
  // The head so far was that of an interim answer (1xx).
  virtual void on_interim() {}
  virtual void on_body(std::string_view piece) = 0;
  virtual void on_response_end() = 0;  // once per finished response, after its last piece
};

}  // namespace carronade::http
