// HOT. One request's bytes, several copies back to back, serialised once per run and shared by
// all connections and workers: a pipelined batch leaves in one send. A position is an offset
// into the request that is being sent; what is pending may be longer than the block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace carronade::load {

class WireBlock {
 public:
  // `depth`: copies wanted; large requests get fewer, so that a block stays below about 1 MiB.
  WireBlock(std::string_view request, uint32_t depth) : size_(request.size()) {
    const uint64_t room = std::max<uint64_t>(kMaxBytes / std::max<uint64_t>(size_, 1), 1);
    // One more than the depth, so that a full batch is one stretch from any position.
    const uint64_t copies = size_ > kMaxBytes ? 1 : std::min<uint64_t>(depth, room) + 1;
    bytes_.reserve(copies * size_);
    for (uint64_t i = 0; i < copies; ++i) bytes_.append(request);
  }

  uint64_t request_size() const { return size_; }
  std::string_view request() const { return std::string_view(bytes_).substr(0, size_); }

  // The longest stretch to hand to one write: from `position` in [0, request_size()).
  std::string_view chunk(uint64_t position, uint64_t pending) const {
    return std::string_view(bytes_).substr(position,
                                           std::min<uint64_t>(pending, bytes_.size() - position));
  }
  // Requests whose first byte lies in the `n` > 0 bytes from `position`.
  uint32_t starts(uint64_t position, uint64_t n) const {
    const uint64_t first = position == 0 ? 0 : size_;
    const uint64_t end = position + n;
    return end <= first ? 0 : static_cast<uint32_t>((end - 1 - first) / size_ + 1);
  }
  uint64_t advance(uint64_t position, uint64_t n) const { return (position + n) % size_; }

 private:
  static constexpr uint64_t kMaxBytes = 1 << 20;
  uint64_t size_;
  std::string bytes_;
};

}  // namespace carronade::load
