// HOT. A first-in-first-out queue of small values that grows by doubling and keeps its room: no
// allocation once it was as long as it gets. One thread.
#pragma once

#include <cstddef>
#include <vector>

#include "base/check.h"

namespace carronade::load {

template <class T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }

  void push_back(const T& value) {
    if (size_ == slots_.size()) grow();
    slots_[place(size_++)] = value;
  }
  void push_front(const T& value) {
    if (size_ == slots_.size()) grow();
    head_ = (head_ + slots_.size() - 1) & (slots_.size() - 1);
    slots_[head_] = value;
    ++size_;
  }
  // Not when empty.
  T pop_front() {
    DCHECK(size_ > 0);
    const T value = slots_[head_];
    head_ = place(1);
    --size_;
    return value;
  }
  void pop_back() {
    DCHECK(size_ > 0);
    --size_;
  }

 private:
  static constexpr size_t kFirstSlots = 64;

  size_t place(size_t offset) const { return (head_ + offset) & (slots_.size() - 1); }
  void grow() {
    std::vector<T> larger(slots_.empty() ? kFirstSlots : slots_.size() * 2);
    for (size_t i = 0; i < size_; ++i) larger[i] = slots_[place(i)];
    slots_.swap(larger);
    head_ = 0;
  }

  std::vector<T> slots_;  // a power of two of them
  size_t head_ = 0;
  size_t size_ = 0;
};

}  // namespace carronade::load
