// HOT. How many requests one worker may still send. Pure arithmetic: no clock, no I/O, one
// thread. A share is fair: near its end a budget is handed out evenly, so that one connection
// with deep pipelining does not take what the others could have sent at the same time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace carronade::pace {

class Budget {
 public:
  // `amount` unset: no limit. `sharers` ≥ 1 is the number of connections that draw from it.
  Budget(std::optional<uint64_t> amount, uint32_t sharers)
      : left_(amount.value_or(kUnlimited)), sharers_(std::max<uint32_t>(sharers, 1)) {}

  // Takes up to `wanted` requests, 0 when none are left.
  uint32_t take(uint32_t wanted) {
    if (left_ == kUnlimited) return wanted;
    const uint64_t fair = (left_ + sharers_ - 1) / sharers_;
    const uint64_t got = std::min<uint64_t>(wanted, fair);
    left_ -= got;
    return static_cast<uint32_t>(got);
  }

  // Requests taken and not sent after all.
  void give_back(uint32_t count) {
    if (left_ != kUnlimited) left_ += count;
  }
  // Nothing more is to be had from where the requests come from.
  void close() { left_ = 0; }

  bool exhausted() const { return left_ == 0; }
  bool limited() const { return left_ != kUnlimited; }
  // Only when limited().
  uint64_t left() const { return left_; }

 private:
  static constexpr uint64_t kUnlimited = UINT64_MAX;
  uint64_t left_;
  uint32_t sharers_;
};

}  // namespace carronade::pace
