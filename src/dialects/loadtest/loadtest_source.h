// HOT. Counts a worker's answers for the line every five seconds, and with --index writes its
// requests.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "carronade/request_source.h"
#include "dialects/loadtest/loadtest_index.h"
#include "dialects/loadtest/loadtest_losses.h"
#include "dialects/loadtest/loadtest_tally.h"

namespace carronade::dialects::loadtest {

class LoadtestSource final : public RequestSource {
 public:
  // All of them outlive the source. `tally` is null when nobody reads it; `index` is null without
  // --index, `last_index` is the process's counter. `mask` is any number, for WebSocket frames.
  LoadtestSource(LoadtestTally* tally, const IndexText* index, std::atomic<uint64_t>& last_index,
                 uint64_t mask)
      : tally_(tally), index_(index), last_index_(last_index), mask_(mask) {}

  SourceWants wants() const override {
    return {
        .requests = index_ != nullptr, .responses = tally_ != nullptr, .losses = tally_ != nullptr};
  }
  NextRequest next(uint32_t connection, std::string& out) override;
  bool on_response(const Response& response) override {
    constexpr uint16_t kFirstError = 400;
    tally_->add_answer(response.status >= kFirstError, response.latency_ns);
    return true;
  }
  void on_loss(const Loss& loss) override { tally_->add_lost(lost_requests(loss)); }

 private:
  LoadtestTally* tally_;
  const IndexText* index_;
  std::atomic<uint64_t>& last_index_;
  uint64_t mask_;
  std::string message_;
};

}  // namespace carronade::dialects::loadtest
