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
  // What was answered before all of it has left still has to go out on this socket.
  const bool all_sent = sent_ >= begin_;
  if (first_ == entries_.size() && all_sent) {
    entries_.clear();
    bytes_.clear();
    first_ = 0;
    begin_ = sent_ = 0;
  } else if ((first_ >= kCompactAtRequests && first_ * 2 >= entries_.size()) ||
             (begin_ >= kCompactAtBytes && begin_ * 2 >= bytes_.size())) {
    compact();
  }
}

void SourcedRequests::keep_oldest(uint32_t count) {
  if (count >= size()) return;
  bytes_.resize(end_of(count));
  entries_.resize(first_ + count);
  sent_ = std::min<uint64_t>(sent_, bytes_.size());
  started_ = std::min(started_, count);
}

void SourcedRequests::replace_only(std::string_view request, bool last_on_socket) {
  DCHECK(size() == 1);
  pop(1);
  // What of the old one has not left goes to no socket any more.
  bytes_.assign(request);
  entries_.clear();
  first_ = 0;
  begin_ = sent_ = 0;
  started_ = 0;
  add(last_on_socket);
}

void SourcedRequests::compact() {
  const uint64_t gone = std::min(begin_, sent_);
  bytes_.erase(0, gone);
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
  for (Entry& kept : entries_) kept.end -= gone;
  sent_ -= gone;
  begin_ -= gone;
  first_ = 0;
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

bool SourcedRequests::has_last_on_socket(uint32_t count) const {
  for (uint32_t i = 0; i < count; ++i) {
    if (entry(i).last_on_socket) return true;
  }
  return false;
}

}  // namespace carronade::load
