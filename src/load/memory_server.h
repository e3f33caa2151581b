// A transport for benchmarks and for the instruction-count guard: no kernel, every request that
// is written is answered at once with the same bytes. One connection at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "net/transport.h"

namespace carronade::load {

class MemoryServer final : public net::Transport {
 public:
  // `request_size` tells how many requests a write held.
  MemoryServer(std::string answer, size_t request_size)
      : answer_(std::move(answer)), request_size_(request_size) {}

  net::IoResult handshake(net::Stream&) override { return {.status = net::IoStatus::kOk}; }
  net::IoResult read(net::Stream&, char* into, size_t capacity) override {
    const size_t whole = std::min(owed_, capacity / answer_.size());
    if (whole == 0) return {.status = net::IoStatus::kRetry};
    for (size_t i = 0; i < whole; ++i) {
      std::memcpy(into + i * answer_.size(), answer_.data(), answer_.size());
    }
    owed_ -= whole;
    return {.status = net::IoStatus::kOk, .bytes = whole * answer_.size(), .drained = owed_ == 0};
  }
  net::IoResult write(net::Stream&, const char*, size_t size) override {
    owed_ += size / request_size_;
    return {.status = net::IoStatus::kOk, .bytes = size};
  }
  net::IoResult discard(net::Stream&, size_t) override {
    return {.status = net::IoStatus::kRetry};  // never asked: can_discard() says no
  }
  bool can_discard() const override { return false; }
  void close(net::Stream&) override {}
  std::string failure_text() const override { return ""; }

 private:
  std::string answer_;
  size_t request_size_;
  size_t owed_ = 0;  // answers that were asked for and not read
};

}  // namespace carronade::load
