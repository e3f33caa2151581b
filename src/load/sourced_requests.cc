// HOT.
#include "load/sourced_requests.h"

#include <algorithm>
#include <cstddef>

namespace carronade::load {

void SourcedRequests::pop(uint32_t count) {
  DCHECK(count <= size());
  begin_ = end_of(count);
  first_ += count;
  started_ -= std::min(started_, count);
  sent_ = std::max(sent_, begin_);
  if (first_ == entries_.size()) {
    entries_.clear();
    bytes_.clear();
    first_ = 0;
    begin_ = sent_ = 0;
  } else if (first_ >= kCompactAt && first_ * 2 >= entries_.size()) {
    compact();
  }
}

void SourcedRequests::compact() {
  bytes_.erase(0, begin_);
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
  for (Entry& kept : entries_) kept.end -= begin_;
  sent_ -= begin_;
  first_ = 0;
  begin_ = 0;
}

uint32_t SourcedRequests::alike(uint32_t count) const {
  uint32_t n = 1;
  while (n < count && entry(n).head == entry(0).head) ++n;
  return n;
}

bool SourcedRequests::idempotent(uint32_t count) const {
  for (uint32_t i = 0; i < count; ++i) {
    if (!entry(i).idempotent) return false;
  }
  return true;
}

bool SourcedRequests::has_last_on_socket() const {
  for (uint32_t i = 0; i < size(); ++i) {
    if (entry(i).last_on_socket) return true;
  }
  return false;
}

}  // namespace carronade::load
