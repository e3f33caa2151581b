// HOT.
#include "server/answer_sender.h"

#include <algorithm>

#include "base/clock.h"

namespace carronade::server {
namespace {

// Writes of one long body before other connections get their turn.
constexpr int kRunWritesPerTurn = 16;

void count_answer(WorkerKit& kit, int status) {
  kit.stats.served.add(1);
  kit.stats.by_status[static_cast<size_t>(status)].add(1);
}

std::string stats_text(Answer::Kind kind, const WorkerKit& kit) {
  if (kind == Answer::Kind::kStats) {
    return stats_json(kit.board.snapshot(), kit.station ? kit.station->stats_members() : "");
  }
  return kit.station ? kit.station->arrivals() : arrivals_json(ArrivalRecord(0));
}

}  // namespace

int64_t AnswerSender::due_ns() const {
  return blocked() || queue_.empty() ? 0 : queue_.front().due_ns;
}

void AnswerSender::append_small(const AnswerShape& shape, const BodySource& bodies,
                                std::string& out) {
  append_head(shape, bodies.content_type(), out);
  if (!shape.has_body()) return;
  const std::string_view body = bodies.of(shape.body).substr(0, shape.body_bytes);
  if (shape.framing == AnswerShape::Framing::kChunked) {
    append_chunked(body, out);
  } else {
    out += body;
  }
}

void AnswerSender::append_now(const AnswerShape& shape, WorkerKit& kit) {
  const size_t before = kit.out.size();
  count_answer(kit, shape.status);
  append_small(shape, kit.bodies, kit.out);
  kit.stats.bytes_out.add(kit.out.size() - before);
}

AnswerSender::Outcome AnswerSender::pump(WorkerKit& kit, net::Stream& stream) {
  int64_t now = 0;
  for (;;) {
    if (!unsent_.empty()) {
      const Outcome outcome = send_unsent(kit, stream);
      if (outcome != Outcome::kFlowing) return outcome;
    }
    if (running_ || kit.out.size() >= kFlushBytes) {
      const Outcome outcome = flush(kit, stream);
      if (outcome != Outcome::kFlowing) return outcome;
    }
    if (running_) {
      const Outcome outcome = send_run(kit, stream);
      if (outcome != Outcome::kFlowing) return outcome;
      finish_run(kit);
      continue;
    }
    if (queue_.empty()) break;
    const int64_t due = queue_.front().due_ns;
    if (due > now && due > (now = base::now_ns())) break;
    begin_front(kit);
  }
  return flush(kit, stream);
}

AnswerSender::Outcome AnswerSender::flush(WorkerKit& kit, net::Stream& stream) {
  if (!kit.out_due_ns.empty()) {
    kit.station->note_sent(kit.out_due_ns, base::now_ns());
    kit.out_due_ns.clear();
  }
  size_t sent = 0;
  while (sent < kit.out.size()) {
    const net::IoResult result =
        kit.transport.write(stream, kit.out.data() + sent, kit.out.size() - sent);
    if (result.status != net::IoStatus::kOk) {
      if (result.status == net::IoStatus::kRetry) unsent_.assign(kit.out, sent);
      kit.out.clear();
      return result.status == net::IoStatus::kRetry ? Outcome::kBlocked : Outcome::kFailed;
    }
    sent += result.bytes;
  }
  kit.out.clear();
  return Outcome::kFlowing;
}

AnswerSender::Outcome AnswerSender::send_unsent(WorkerKit& kit, net::Stream& stream) {
  size_t sent = 0;
  while (sent < unsent_.size()) {
    const net::IoResult result =
        kit.transport.write(stream, unsent_.data() + sent, unsent_.size() - sent);
    if (result.status == net::IoStatus::kFail) return Outcome::kFailed;
    if (result.status == net::IoStatus::kRetry) {
      unsent_.erase(0, sent);
      return Outcome::kBlocked;
    }
    sent += result.bytes;
  }
  unsent_ = std::string();  // memory is for those who are blocked
  return Outcome::kFlowing;
}

AnswerSender::Outcome AnswerSender::send_run(WorkerKit& kit, net::Stream& stream) {
  for (int writes = 0; run_sent_ < run_total_; ++writes) {
    if (writes == kRunWritesPerTurn) return Outcome::kYielded;
    const size_t at = static_cast<size_t>(run_sent_ % run_source_.size());
    const uint64_t left = run_total_ - run_sent_;
    const size_t size = static_cast<size_t>(std::min<uint64_t>(run_source_.size() - at, left));
    // Counted first and corrected after: whoever has the bytes finds them counted.
    kit.stats.bytes_out.add(size);
    const net::IoResult result = kit.transport.write(stream, run_source_.data() + at, size);
    kit.stats.bytes_out.subtract(size - result.bytes);
    if (result.status == net::IoStatus::kFail) return Outcome::kFailed;
    if (result.status == net::IoStatus::kRetry) return Outcome::kBlocked;
    run_sent_ += result.bytes;
  }
  return Outcome::kFlowing;
}

void AnswerSender::begin_front(WorkerKit& kit) {
  const Answer& answer = queue_.front();
  if (answer.due_ns != 0 && kit.station != nullptr) kit.out_due_ns.push_back(answer.due_ns);
  if (answer.kind == Answer::Kind::kStats || answer.kind == Answer::Kind::kArrivals) {
    kit.out += text_answer(answer.shape, "application/json", stats_text(answer.kind, kit));
  } else if (answer.kind == Answer::Kind::kShaped) {
    begin_shaped(answer.shape, kit);
  } else {
    if (answer.kind == Answer::Kind::kBytes) count_answer(kit, answer.shape.status);
    if (answer.kind == Answer::Kind::kMessage) kit.stats.served.add(1);
    if (answer.kind == Answer::Kind::kRefusal || answer.kind == Answer::Kind::kOpening) {
      kit.stats.by_status[static_cast<size_t>(answer.shape.status)].add(1);
    }
    if (answer.bytes.size() > kSmallBytes) {
      start_run(answer.bytes, answer.bytes.size());
    } else {
      kit.out += answer.bytes;
      kit.stats.bytes_out.add(answer.bytes.size());
    }
  }
  if (!running_) queue_.pop();
}

void AnswerSender::begin_shaped(const AnswerShape& shape, WorkerKit& kit) {
  if (is_small(shape)) {
    append_now(shape, kit);
    return;
  }
  const size_t before = kit.out.size();
  count_answer(kit, shape.status);
  append_head(shape, kit.bodies.content_type(), kit.out);
  if (shape.framing == AnswerShape::Framing::kChunked) {
    const uint64_t chunks = shape.body_bytes / BodySource::kChunkBytes;
    start_run(kit.bodies.framed(), chunks * kit.bodies.framed_chunk_bytes());
  } else {
    // The first part shares a send with the head.
    start_run(kit.bodies.of(shape.body), shape.body_bytes);
    run_sent_ = kSmallBytes;
    kit.out += run_source_.substr(0, kSmallBytes);
  }
  kit.stats.bytes_out.add(kit.out.size() - before);
}

void AnswerSender::start_run(std::string_view source, uint64_t total) {
  run_source_ = source;
  run_sent_ = 0;
  run_total_ = total;
  running_ = true;
}

void AnswerSender::finish_run(WorkerKit& kit) {
  const Answer& answer = queue_.front();
  if (answer.kind == Answer::Kind::kShaped &&
      answer.shape.framing == AnswerShape::Framing::kChunked) {
    const size_t before = kit.out.size();
    const auto rest = static_cast<size_t>(answer.shape.body_bytes % BodySource::kChunkBytes);
    append_chunked(kit.bodies.plain().substr(0, rest), kit.out);
    kit.stats.bytes_out.add(kit.out.size() - before);
  }
  running_ = false;
  queue_.pop();
}

}  // namespace carronade::server
