#include "cli/record_writer.h"

#include <chrono>
#include <utility>

namespace carronade::cli {
namespace {

// At 100,000 messages a second of 100 bytes each, 40 kB gather meanwhile.
constexpr std::chrono::milliseconds kPause{4};
// Of one queue before the next one's turn, so that none overflows behind a busy neighbour.
constexpr int kBatch = 1024;

}  // namespace

RecordWriter::RecordWriter(std::vector<std::unique_ptr<RecordQueue>> queues, Consume consume,
                           Flush flush)
    : queues_(std::move(queues)),
      consume_(std::move(consume)),
      flush_(std::move(flush)),
      thread_([this] { write(); }) {}

RecordWriter::~RecordWriter() { (void)finish(); }

Expected<void> RecordWriter::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  woken_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (error_) return unexpected(*error_);
  return {};
}

uint64_t RecordWriter::lost() const {
  uint64_t total = unwritten_.load(std::memory_order_relaxed);
  for (const auto& queue : queues_) total += queue->lost();
  return total;
}

void RecordWriter::write() {
  bool finishing = false;
  while (true) {
    while (drain()) {
    }
    if (unflushed_ > 0 || finishing) flush_consumed();
    // The last look was begun when nobody pushed any more: the queues are empty for good.
    if (finishing) break;
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, kPause, [this] { return finishing_; });
    finishing = finishing_;
  }
}

// Whether there was anything.
bool RecordWriter::drain() {
  bool any = false;
  for (const auto& queue : queues_) {
    for (int i = 0; i < kBatch && queue->pop(message_); ++i) {
      consume_one(message_);
      any = true;
    }
  }
  return any;
}

void RecordWriter::consume_one(std::string_view message) {
  if (error_) {
    unwritten_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  ++unflushed_;
  if (const Expected<void> done = consume_(message); !done) fail(done.error());
}

void RecordWriter::flush_consumed() {
  if (error_) return;
  if (const Expected<void> done = flush_(); !done) return fail(done.error());
  unflushed_ = 0;
}

// What was consumed since the last flush may stand in a buffer that nobody will write.
void RecordWriter::fail(const Error& error) {
  error_ = error;
  unwritten_.fetch_add(std::exchange(unflushed_, 0), std::memory_order_relaxed);
}

}  // namespace carronade::cli
