// HOT. What one worker keeps of its requests: a record for each answer, as ab does, and counts.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace carronade::dialects::ab {

// One answer. Times are ns.
struct AbRecord {
  int64_t start_ns = 0;    // CLOCK_MONOTONIC: when its connection was begun, or it was sent
  int64_t connect_ns = 0;  // 0 on a connection that had answered before
  int64_t wait_ns = 0;     // sent to first byte
  int64_t total_ns = 0;    // start to last byte
};

// Records in blocks: none is ever moved, so that a growing list stops nothing.
class AbRecords {
 public:
  // A new block once in kBlock records, which is the only allocation.
  void add(const AbRecord& record) {
    if (used_ == kBlock) {
      blocks_.emplace_back(new AbRecord[kBlock]);
      used_ = 0;
    }
    blocks_.back()[used_++] = record;
  }

  size_t size() const { return blocks_.empty() ? 0 : (blocks_.size() - 1) * kBlock + used_; }

  // Appends all to `out` and forgets them; a block at a time, so that nothing is held twice.
  void move_to(std::vector<AbRecord>& out) {
    size_t left = size();
    for (std::unique_ptr<AbRecord[]>& block : blocks_) {
      const size_t count = std::min(left, kBlock);
      out.insert(out.end(), block.get(), block.get() + count);
      block.reset();
      left -= count;
    }
    blocks_.clear();
    used_ = kBlock;
  }

 private:
  static constexpr size_t kBlock = 32'768;

  std::vector<std::unique_ptr<AbRecord[]>> blocks_;
  size_t used_ = kBlock;  // of the last block
};

// Failed requests in ab's classes.
struct AbFailures {
  uint64_t connect = 0;
  uint64_t receive = 0;
  uint64_t length = 0;
  uint64_t exceptions = 0;
  uint64_t write = 0;  // "Write errors", which ab counts apart
};

struct AbTally {
  AbRecords records;
  AbFailures failures;
  uint64_t wrong_lengths = 0;  // answers whose body is longer or shorter than the first one's
  uint64_t kept_alive = 0;     // answers that said Keep-Alive
  std::string server;          // Server field, of the worker that had the first answer
  // When the last answer came, CLOCK_MONOTONIC; the other workers look at it after a timeout.
  std::atomic<int64_t> last_answer_ns{0};
};

}  // namespace carronade::dialects::ab
