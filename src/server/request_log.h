// For tests and fuzzing: what the request parser makes of some bytes, as text that does not
// depend on how the bytes were cut.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "server/request_parser.h"

namespace carronade::server {

// Feeds a parser as a connection would: what a step leaves is shown again with more behind it.
class RequestLog {
 public:
  void feed(std::string_view bytes) {
    held_ += bytes;
    std::string_view rest = held_;
    while (!failed_) {
      const ParseStep step = parser_.step(rest);
      rest.remove_prefix(step.consumed);
      if (step.kind == ParseStep::Kind::kNeedMore) break;
      take(step);
      if (rest.empty() && parser_.at_start()) break;
    }
    held_ = std::string(failed_ ? std::string_view() : rest);
  }

  // One line for each request and for the error that ends the log, and what has come of a body
  // that is not complete.
  std::string text() const { return text_ + body_; }

 private:
  void take(const ParseStep& step) {
    switch (step.kind) {
      case ParseStep::Kind::kHead:
        take_head();
        break;
      case ParseStep::Kind::kBody:
        body_ += step.body;
        break;
      case ParseStep::Kind::kEnd:
        text_ += fmt::format(" body={}\n", body_);
        body_.clear();
        break;
      case ParseStep::Kind::kError:
        text_ += fmt::format("{}error {} {}\n", in_body_ ? "\n" : "", step.status, step.reason);
        body_.clear();
        failed_ = true;
        break;
      case ParseStep::Kind::kNeedMore:
        break;
    }
    in_body_ = step.kind == ParseStep::Kind::kBody ||
               (step.kind == ParseStep::Kind::kHead && parser_.head().has_body);
  }

  void take_head() {
    const RequestHead& head = parser_.head();
    text_ += fmt::format("{} {} 1.{} {}", head.method, head.target, head.minor_version,
                         head.keep_alive ? "keep" : "close");
    if (!head.content_type.empty()) text_ += fmt::format(" type={}", head.content_type);
    if (head.expect_continue) text_ += " expect";
    if (head.chunked) text_ += " chunked";
    if (head.websocket) text_ += " websocket";
    if (head.content_length > 0) text_ += fmt::format(" length={}", head.content_length);
    if (!head.has_body) text_ += "\n";
  }

  RequestParser parser_;
  std::string held_;
  std::string text_;
  std::string body_;
  bool in_body_ = false;
  bool failed_ = false;
};

}  // namespace carronade::server
