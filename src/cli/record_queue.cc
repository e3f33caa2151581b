// HOT.
#include "cli/record_queue.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace carronade::cli {
namespace {

using Length = uint32_t;  // before each message

constexpr size_t kLeastBytes = 64;
constexpr size_t kMostBytes = size_t{1} << 30;

}  // namespace

RecordQueue::RecordQueue(size_t bytes)
    : mask_(std::bit_ceil(std::clamp(bytes, kLeastBytes, kMostBytes)) - 1),
      ring_(std::make_unique_for_overwrite<char[]>(mask_ + 1)) {}

bool RecordQueue::push(std::initializer_list<std::string_view> parts) {
  const size_t room = mask_ + 1;
  size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  const uint64_t at = written_.load(std::memory_order_relaxed);
  const size_t needed = sizeof(Length) + size;
  if (at + needed - seen_taken_ > room) seen_taken_ = taken_.load(std::memory_order_acquire);
  if (at + needed - seen_taken_ > room) {
    lost_.store(lost_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return false;
  }
  const auto length = static_cast<Length>(size);
  write(at, reinterpret_cast<const char*>(&length), sizeof length);
  uint64_t end = at + sizeof length;
  for (const std::string_view part : parts) {
    write(end, part.data(), part.size());
    end += part.size();
  }
  written_.store(end, std::memory_order_release);
  return true;
}

bool RecordQueue::pop(std::string& message) {
  const uint64_t at = taken_.load(std::memory_order_relaxed);
  if (at == seen_written_) seen_written_ = written_.load(std::memory_order_acquire);
  if (at == seen_written_) return false;
  Length length = 0;
  read(at, reinterpret_cast<char*>(&length), sizeof length);
  message.resize(length);
  read(at + sizeof length, message.data(), length);
  taken_.store(at + sizeof length + length, std::memory_order_release);
  return true;
}

void RecordQueue::write(uint64_t at, const char* bytes, size_t size) {
  if (size == 0) return;
  const size_t offset = at & mask_;
  const size_t first = std::min(size, mask_ + 1 - offset);
  std::memcpy(ring_.get() + offset, bytes, first);
  if (first < size) std::memcpy(ring_.get(), bytes + first, size - first);
}

void RecordQueue::read(uint64_t at, char* bytes, size_t size) const {
  if (size == 0) return;
  const size_t offset = at & mask_;
  const size_t first = std::min(size, mask_ + 1 - offset);
  std::memcpy(bytes, ring_.get() + offset, first);
  if (first < size) std::memcpy(bytes + first, ring_.get(), size - first);
}

}  // namespace carronade::cli
