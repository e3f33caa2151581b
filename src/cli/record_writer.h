// The thread that takes what workers have put into their record queues and writes it, so that a
// slow disk or reader never holds up a worker. It looks at the queues every few milliseconds:
// workers do not wake it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "carronade/expected.h"
#include "cli/record_queue.h"

namespace carronade::cli {

class RecordWriter {
 public:
  // One message; on the writer's thread. May gather messages for flush, but only so many: under a
  // load that lets the queues never be empty there is no flush.
  using Consume = std::function<Expected<void>(std::string_view message)>;
  // When the queues were empty for a moment after messages were consumed, and at the end; on the
  // writer's thread. Not any more after an error.
  using Flush = std::function<Expected<void>()>;

  // Starts the thread; StopSignals has to be there before it. A queue for each worker.
  RecordWriter(std::vector<std::unique_ptr<RecordQueue>> queues, Consume consume, Flush flush);
  // finish() if that has not been called.
  ~RecordWriter();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  RecordQueue& queue(size_t worker) { return *queues_[worker]; }

  // When no worker pushes any more: waits until all that was pushed is consumed and flushed. The
  // first error of consume or flush. Later calls return the same.
  Expected<void> finish();

  // Messages that cannot be relied on to be written: those that found no room, and from the first
  // error on all, those since the last flush before it included. Any thread.
  uint64_t lost() const;

 private:
  void write();
  bool drain();
  void consume_one(std::string_view message);
  void flush_consumed();
  void fail(const Error& error);

  const std::vector<std::unique_ptr<RecordQueue>> queues_;
  const Consume consume_;
  const Flush flush_;
  std::string message_;         // writer's, as the next two
  std::optional<Error> error_;  // read by others when the thread has ended
  uint64_t unflushed_ = 0;      // consumed since the last flush
  std::atomic<uint64_t> unwritten_{0};

  std::mutex mutex_;  // guards finishing_
  std::condition_variable woken_;
  bool finishing_ = false;
  std::thread thread_;
};

}  // namespace carronade::cli
