// HOT. The requests that a source gave one connection and that are not answered yet, oldest first,
// with their bytes back to back: any of them may have to be sent again. Those in flight come
// first, then those queued, then (open loop) one that is kept for the next that is due.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "http/request_writer.h"
#include "load/request_line.h"

namespace carronade::load {

class SourcedRequests {
 public:
  uint32_t size() const { return static_cast<uint32_t>(entries_.size() - first_); }

  // Where a source appends the bytes of one more request; add() then counts them.
  std::string& buffer() { return bytes_; }
  void add(bool last_on_socket) {
    const uint64_t known = entries_.size() == first_ ? begin_ : entries_.back().end;
    DCHECK(bytes_.size() > known);
    const RequestLine line = read_request_line(std::string_view(bytes_).substr(known));
    entries_.push_back({bytes_.size(), line.head, line.idempotent, last_on_socket});
  }

  // Bytes of `count` requests from the one with number `from`, 0 being the oldest.
  uint64_t bytes_of(uint32_t from, uint32_t count) const {
    DCHECK(from + count <= size());
    return count == 0 ? 0 : end_of(from + count) - end_of(from);
  }
  // The first, at most `pending`, of the bytes that the present socket has not taken.
  std::string_view unsent(uint64_t pending) const {
    return std::string_view(bytes_).substr(sent_, pending);
  }
  // The socket took `n` > 0 of them; returns how many requests began in these.
  uint32_t advance(uint64_t n) {
    uint32_t started = 0;
    while (started_ < size() && end_of(started_) < sent_ + n) {
      ++started_;
      ++started;
    }
    sent_ += n;
    return started;
  }
  bool between_requests() const { return sent_ == end_of(started_); }
  // On a new socket all of them are to be sent from the first byte on.
  void rewind() {
    sent_ = begin_;
    started_ = 0;
  }

  // The oldest `count` are answered or lost.
  void pop(uint32_t count);
  // Forgets all but the oldest `count`: they will not be sent. Not while a socket is half through
  // one of them.
  void keep_oldest(uint32_t count);
  // The only one is followed by `request` in its place, of which no byte is sent yet.
  void replace_only(std::string_view request, bool last_on_socket);

  // How many of the oldest `count` are alike in whether they are HEAD requests; whether they are.
  uint32_t alike(uint32_t count) const;
  bool oldest_is_head() const { return entry(0).head; }
  bool idempotent(uint32_t count) const;
  // Whether one of the oldest `count`, or number `number`, makes the server close the connection
  // behind its answer.
  bool has_last_on_socket(uint32_t count) const;
  bool last_on_socket(uint32_t number) const { return entry(number).last_on_socket; }
  std::string_view oldest() const {
    return std::string_view(bytes_).substr(begin_, end_of(1) - begin_);
  }

 private:
  struct Entry {
    uint64_t end;  // in bytes_
    bool head;
    bool idempotent;
    bool last_on_socket;
  };
  static constexpr size_t kCompactAtRequests = 64;
  static constexpr uint64_t kCompactAtBytes = 64 * 1024;

  const Entry& entry(uint32_t number) const { return entries_[first_ + number]; }
  // Where the request before number `number` ends.
  uint64_t end_of(uint32_t number) const {
    return number == 0 ? begin_ : entries_[first_ + number - 1].end;
  }
  void compact();

  std::string bytes_;
  std::vector<Entry> entries_;
  size_t first_ = 0;      // in entries_, of the oldest
  uint64_t begin_ = 0;    // in bytes_, of the oldest
  uint64_t sent_ = 0;     // in bytes_, what the present socket has taken
  uint32_t started_ = 0;  // requests of which it has taken a byte
};

}  // namespace carronade::load
