// HOT. One connection's answers on their way out: in order, each not before it is due, with
// long bodies sent from where they lie, and with what the socket does not take yet kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/transport.h"
#include "server/answer.h"
#include "server/worker_kit.h"

namespace carronade::server {

class AnswerSender {
 public:
  // More answers than this wait: no further request is read until they have left.
  static constexpr size_t kQueueMax = 8192;
  static constexpr size_t kQueuedBytesMax = 32 * 1024 * 1024;
  // WorkerKit::out is sent when it has grown to this.
  static constexpr size_t kFlushBytes = 256 * 1024;
  // Bodies up to this are copied into WorkerKit::out.
  static constexpr uint64_t kSmallBytes = BodySource::kChunkBytes;

  enum class Outcome : uint8_t {
    kFlowing,  // all that is due has left
    kBlocked,  // the socket is full: pump() when it is writable
    kYielded,  // much has left and others want a turn: pump() soon
    kFailed    // the connection is broken
  };

  // Nothing is queued or kept: an answer may be appended to WorkerKit::out directly.
  bool idle() const { return queue_.empty() && unsent_.empty() && !running_; }
  bool blocked() const { return !unsent_.empty() || running_; }
  bool congested() const {
    return blocked() || queue_.size() >= kQueueMax || queue_.bytes() >= kQueuedBytesMax;
  }
  // When pump() must be called for the first answer's sake; 0: it waits for nothing but room.
  int64_t due_ns() const;

  void push(Answer answer) { queue_.push(std::move(answer)); }
  static bool is_small(const AnswerShape& shape) {
    return !shape.has_body() || shape.body_bytes <= kSmallBytes;
  }
  // Head and body of a small answer, uncounted.
  static void append_small(const AnswerShape& shape, const BodySource& bodies, std::string& out);
  // Only when idle() and is_small(): counts and appends to WorkerKit::out.
  static void append_now(const AnswerShape& shape, WorkerKit& kit);

  // Sends WorkerKit::out and what is due. Leaves `out` empty.
  Outcome pump(WorkerKit& kit, net::Stream& stream);

 private:
  Outcome flush(WorkerKit& kit, net::Stream& stream);
  Outcome send_unsent(WorkerKit& kit, net::Stream& stream);
  Outcome send_run(WorkerKit& kit, net::Stream& stream);
  void begin_front(WorkerKit& kit);
  void begin_shaped(const AnswerShape& shape, WorkerKit& kit);
  void start_run(std::string_view source, uint64_t total);
  void finish_run(WorkerKit& kit);

  AnswerQueue queue_;
  std::string unsent_;
  // The long body of the queue's first answer, being sent: byte i is source[i % source.size()].
  std::string_view run_source_;
  uint64_t run_sent_ = 0;
  uint64_t run_total_ = 0;
  bool running_ = false;
};

}  // namespace carronade::server
