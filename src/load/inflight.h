// HOT. The requests of one connection that were sent and are not answered, oldest first, kept
// as runs: requests whose first bytes left in one system call and that were due at the same time
// share one entry, so a pipelined batch of a closed loop costs one. One entry is stored in place;
// more move to the heap and stay there.
#pragma once

#include <cstdint>
#include <memory>

#include "base/check.h"

namespace carronade::load {

class Inflight {
 public:
  bool empty() const { return total_ == 0; }
  uint32_t total() const { return total_; }
  // When the oldest was sent, and when it was due. Not when empty.
  int64_t oldest_sent_ns() const { return front().sent_ns; }
  int64_t oldest_due_ns() const { return front().due_ns; }

  // How many were due and sent together with the oldest, itself included. Not when empty.
  uint32_t oldest_count() const { return front().count; }

  // Sent when they were due, as in a closed loop.
  void push(int64_t sent_ns, uint32_t count) { push(sent_ns, sent_ns, count); }
  void push(int64_t due_ns, int64_t sent_ns, uint32_t count) {
    DCHECK(count > 0);
    total_ += count;
    if (runs_ > 0 && back().sent_ns == sent_ns && back().due_ns == due_ns) {
      back().count += count;
      return;
    }
    if (runs_ == capacity()) grow();
    ++runs_;
    back() = Entry{due_ns, sent_ns, count};
  }

  // Removes the oldest `count` ≤ oldest_count() requests.
  void pop(uint32_t count = 1) {
    DCHECK(total_ >= count);
    total_ -= count;
    if ((front().count -= count) == 0) {
      head_ = (head_ + 1) & (capacity() - 1);
      --runs_;
    }
  }

  // How many were sent at `time_ns` or before.
  uint32_t sent_until(int64_t time_ns) const {
    uint32_t count = 0;
    for (uint32_t i = 0; i < runs_; ++i) {
      const Entry& entry = entries()[(head_ + i) & (capacity() - 1)];
      if (entry.sent_ns > time_ns) break;
      count += entry.count;
    }
    return count;
  }

 private:
  struct Entry {
    int64_t due_ns;
    int64_t sent_ns;
    uint32_t count;
  };

  uint32_t capacity() const { return heap_ == nullptr ? 1 : heap_capacity_; }
  Entry* entries() { return heap_ == nullptr ? &single_ : heap_.get(); }
  const Entry* entries() const { return heap_ == nullptr ? &single_ : heap_.get(); }
  Entry& front() { return entries()[head_]; }
  const Entry& front() const { return entries()[head_]; }
  Entry& back() { return entries()[(head_ + runs_ - 1) & (capacity() - 1)]; }

  void grow() {
    const uint32_t larger = capacity() * 2;
    auto moved = std::make_unique<Entry[]>(larger);
    for (uint32_t i = 0; i < runs_; ++i) moved[i] = entries()[(head_ + i) & (capacity() - 1)];
    heap_ = std::move(moved);
    heap_capacity_ = larger;
    head_ = 0;
  }

  Entry single_{};
  std::unique_ptr<Entry[]> heap_;
  uint32_t heap_capacity_ = 0;
  uint32_t head_ = 0;
  uint32_t runs_ = 0;
  uint32_t total_ = 0;
};

}  // namespace carronade::load
