// Sums over the answers of a run, for who wants the mean of the last seconds while it goes on.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "carronade/request_source.h"

namespace carronade::node {

// What one worker counts; another thread reads it meanwhile. A cache line of its own.
class alignas(64) Tally {
 public:
  void add(const Response& response) {
    constexpr uint16_t kFirstError = 400;
    bump<uint64_t>(answered_, 1);
    bump(latency_ns_, response.latency_ns);
    if (response.status >= kFirstError) bump<uint64_t>(errors_, 1);
  }
  // A connection that could not be made counts as a request that failed; one that was there and
  // had nothing in flight does not.
  void add(const Loss& loss) {
    const bool there = loss.kind == ErrorKind::kExcessBytes || loss.kind == ErrorKind::kTimeout ||
                       loss.kind == ErrorKind::kMalformedFrame;
    const uint32_t least = there && loss.due_ns == 0 ? 0 : 1;
    bump<uint64_t>(lost_, std::max(loss.requests, least));
  }

  uint64_t answered() const { return answered_.load(std::memory_order_relaxed); }
  uint64_t errors() const { return errors_.load(std::memory_order_relaxed); }
  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  int64_t latency_ns() const { return latency_ns_.load(std::memory_order_relaxed); }

 private:
  template <class Number>
  static void bump(std::atomic<Number>& sum, Number number) {
    sum.store(sum.load(std::memory_order_relaxed) + number, std::memory_order_relaxed);
  }

  std::atomic<uint64_t> answered_{0};
  std::atomic<uint64_t> errors_{0};  // of the answered, statuses from 400 on
  std::atomic<uint64_t> lost_{0};
  std::atomic<int64_t> latency_ns_{0};
};

// Of all workers of a run; none when nobody asked for it.
using Tallies = std::vector<std::unique_ptr<Tally>>;

// Listens, and leaves the requests to the engine.
class TallySource final : public RequestSource {
 public:
  explicit TallySource(Tally& tally) : tally_(tally) {}
  SourceWants wants() const override {
    return {.requests = false, .responses = true, .losses = true};
  }
  bool on_response(const Response& response) override {
    tally_.add(response);
    return true;
  }
  void on_loss(const Loss& loss) override { tally_.add(loss); }

 private:
  Tally& tally_;
};

}  // namespace carronade::node
