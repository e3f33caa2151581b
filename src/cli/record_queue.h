// HOT. Messages of one worker's thread for the writer's (record_writer.h): a ring of bytes with one
// producer and one consumer, without locks and without system calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace carronade::cli {

class RecordQueue {
 public:
  // Room for `bytes` of messages, 4 bytes more for each, rounded up to a power of two (at least
  // 64, at most 1 GiB). Allocated here, once.
  explicit RecordQueue(size_t bytes);
  RecordQueue(const RecordQueue&) = delete;
  RecordQueue& operator=(const RecordQueue&) = delete;

  // Producer's thread: one message, made of these parts. False, and counted as lost, when there is
  // no room for it. Never waits.
  bool push(std::initializer_list<std::string_view> parts);

  // How many messages found no room. Any thread.
  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

  // Consumer's thread: the oldest message, in place of what `message` held. False: empty.
  bool pop(std::string& message);

 private:
  static constexpr size_t kCacheLine = 64;

  void write(uint64_t at, const char* bytes, size_t size);
  void read(uint64_t at, char* bytes, size_t size) const;

  const size_t mask_;
  const std::unique_ptr<char[]> ring_;

  // Positions in the endless stream of bytes. Each side keeps what it saw last of the other's, so
  // that it looks there only when that no longer suffices.
  alignas(kCacheLine) std::atomic<uint64_t> written_{0};  // stored by the producer
  uint64_t seen_taken_ = 0;                               // producer's
  std::atomic<uint64_t> lost_{0};                         // stored by the producer
  alignas(kCacheLine) std::atomic<uint64_t> taken_{0};    // stored by the consumer
  uint64_t seen_written_ = 0;                             // consumer's
};

}  // namespace carronade::cli
