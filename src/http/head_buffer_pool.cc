#include "http/head_buffer_pool.h"

#include <utility>

namespace carronade::http {

namespace {

// Together they bound what a worker keeps for good, however many connections once had a line
// split over reads: 2 MiB.
constexpr size_t kMaxFree = 256;
constexpr size_t kMaxKeptCapacity = 8 * 1024;

}  // namespace

std::unique_ptr<std::string> HeadBufferPool::take() {
  if (free_.empty()) return std::make_unique<std::string>();
  std::unique_ptr<std::string> buffer = std::move(free_.back());
  free_.pop_back();
  return buffer;
}

void HeadBufferPool::give(std::unique_ptr<std::string> buffer) {
  if (free_.size() >= kMaxFree || buffer->capacity() > kMaxKeptCapacity) return;
  buffer->clear();
  free_.push_back(std::move(buffer));
}

}  // namespace carronade::http
