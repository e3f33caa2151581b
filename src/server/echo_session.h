// HOT. A connection of the test server that has become a WebSocket: each message comes back as it
// was, when the server's options and the handshake's path say; pings and close frames are
// answered in turn, behind the messages before them.
#pragma once

#include <cstdint>
#include <string_view>

#include "server/answer_sender.h"
#include "server/message_reader.h"
#include "server/routes.h"
#include "server/worker_kit.h"

namespace carronade::server {

class EchoSession {
 public:
  // `route`: of the handshake; `last_due_ns`: when the last answer before it is due.
  EchoSession(const Route& route, int64_t last_due_ns) : route_(route), last_due_ns_(last_due_ns) {}

  // Answers the next message or control frame and cuts it off `bytes`; false when there is none,
  // and what is left must be seen again with more behind it. Not after ended().
  bool take_one(std::string_view& bytes, AnswerSender& sender, WorkerKit& kit);

  // A close frame is the last that was queued.
  bool ended() const { return ended_; }
  // … and it was not the answer to the client's.
  bool ended_first() const { return ended_first_; }

 private:
  void echo(const MessageStep& step, AnswerSender& sender, WorkerKit& kit);
  void on_control(const MessageStep& step, AnswerSender& sender, WorkerKit& kit);
  void end_first(uint16_t code, std::string_view reason, AnswerSender& sender, WorkerKit& kit);
  void end(uint16_t code, std::string_view reason, AnswerSender& sender, WorkerKit& kit);

  const Route route_;
  int64_t last_due_ns_;
  MessageReader reader_;
  uint64_t messages_ = 0;
  bool ended_ = false;
  bool ended_first_ = false;
};

}  // namespace carronade::server
