// For tests and fuzzing: what the message reader makes of some bytes, as text that does not depend
// on how the bytes were cut.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "server/message_reader.h"

namespace carronade::server {

// Feeds a reader as a connection would: what a step leaves is shown again with more behind it.
class MessageLog {
 public:
  void feed(std::string_view bytes) {
    held_ += bytes;
    std::string_view rest = held_;
    while (!failed_) {
      const MessageStep step = reader_.step(rest);
      rest.remove_prefix(step.consumed);
      if (step.kind == MessageStep::Kind::kNeedMore) break;
      take(step);
    }
    held_ = std::string(failed_ ? std::string_view() : rest);
  }

  // One line for each message, control frame, and the error that ends the log.
  const std::string& text() const { return text_; }
  // Bytes that have to be shown again.
  size_t held() const { return held_.size(); }

 private:
  static constexpr size_t kShownBytes = 200;  // of a payload

  void take(const MessageStep& step) {
    failed_ = step.kind == MessageStep::Kind::kError;
    if (failed_) {
      text_ += fmt::format("error {} {}\n", step.code, step.reason);
      return;
    }
    text_ += fmt::format("{:x} {}", static_cast<int>(step.opcode), step.payload.size());
    if (step.payload.size() < kShownBytes) text_ += fmt::format(" {}", step.payload);
    if (step.opcode == Opcode::kClose) text_ += fmt::format(" code={}", step.code);
    text_ += "\n";
  }

  MessageReader reader_;
  std::string held_;
  std::string text_;
  bool failed_ = false;
};

}  // namespace carronade::server
