// HOT.
#include "server/echo_session.h"

#include <utility>

namespace carronade::server {
namespace {

constexpr size_t kHeaderBytesMax = 10;

// RFC 6455 5.2: a server's frames have no mask.
void append_frame(Opcode opcode, std::string_view payload, std::string& out) {
  out += static_cast<char>(0x80 | static_cast<uint8_t>(opcode));
  const uint64_t size = payload.size();
  int length_bytes = 0;
  if (size < 126) {
    out += static_cast<char>(size);
  } else {
    length_bytes = size < 0x10000 ? 2 : 8;
    out += static_cast<char>(length_bytes == 2 ? 126 : 127);
  }
  for (int shift = 8 * (length_bytes - 1); shift >= 0; shift -= 8) {
    out += static_cast<char>(size >> shift);
  }
  out += payload;
}

// `kind`: kMessage or kAside.
void send_frame(Answer::Kind kind, int64_t due_ns, Opcode opcode, std::string_view payload,
                AnswerSender& sender, WorkerKit& kit) {
  // One that leaves at once fits into what WorkerKit::out has reserved.
  if (due_ns == 0 && sender.idle() &&
      payload.size() + kHeaderBytesMax < AnswerSender::kFlushBytes) {
    const size_t before = kit.out.size();
    append_frame(opcode, payload, kit.out);
    kit.stats.bytes_out.add(kit.out.size() - before);
    if (kind == Answer::Kind::kMessage) kit.stats.served.add(1);
    return;
  }
  Answer answer{kind, due_ns, {}, {}};
  answer.bytes.reserve(payload.size() + kHeaderBytesMax);
  append_frame(opcode, payload, answer.bytes);
  sender.push(std::move(answer));
}

}  // namespace

bool EchoSession::take_one(std::string_view& bytes, AnswerSender& sender, WorkerKit& kit) {
  const MessageStep step = reader_.step(bytes);
  bytes.remove_prefix(step.consumed);
  switch (step.kind) {
    case MessageStep::Kind::kNeedMore:
      return false;
    case MessageStep::Kind::kMessage:
      echo(step, sender, kit);
      break;
    case MessageStep::Kind::kControl:
      on_control(step, sender, kit);
      break;
    case MessageStep::Kind::kError:
      kit.stats.malformed.add(1);
      end_first(step.code, step.reason, sender, kit);
      break;
  }
  return true;
}

void EchoSession::echo(const MessageStep& step, AnswerSender& sender, WorkerKit& kit) {
  kit.stats.received.add(1);
  (step.opcode == Opcode::kText ? kit.stats.ws_text : kit.stats.ws_binary).add(1);
  kit.stats.body_bytes_in.add(step.payload.size());
  if (wants_sample(kit) && kit.sampler->claim()) {
    kit.sampler->give({"", std::string(step.payload.substr(0, RequestSample::kBodyBytesMax))});
  }
  const int64_t due_ns = next_due_ns(route_, last_due_ns_, kit);
  send_frame(Answer::Kind::kMessage, due_ns, step.opcode, step.payload, sender, kit);
  ++messages_;
  if (route_.close || messages_ == kit.spec.close_after) {
    end_first(kCloseNormal, "", sender, kit);
  }
}

void EchoSession::on_control(const MessageStep& step, AnswerSender& sender, WorkerKit& kit) {
  if (step.opcode == Opcode::kPong) {
    kit.stats.ws_pongs.add(1);
  } else if (step.opcode == Opcode::kPing) {
    kit.stats.ws_pings.add(1);
    send_frame(Answer::Kind::kAside, 0, Opcode::kPong, step.payload, sender, kit);
  } else {
    kit.stats.ws_closes.add(1);
    end(step.code, "", sender, kit);
  }
}

void EchoSession::end_first(uint16_t code, std::string_view reason, AnswerSender& sender,
                            WorkerKit& kit) {
  ended_first_ = true;
  end(code, reason, sender, kit);
}

void EchoSession::end(uint16_t code, std::string_view reason, AnswerSender& sender,
                      WorkerKit& kit) {
  std::string payload;
  if (code != 0) payload = {static_cast<char>(code >> 8), static_cast<char>(code)};
  payload += reason;
  send_frame(Answer::Kind::kAside, 0, Opcode::kClose, payload, sender, kit);
  ended_ = true;
}

}  // namespace carronade::server
