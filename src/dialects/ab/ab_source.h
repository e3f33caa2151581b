// HOT. Hears every answer of an ab run. One a worker; what they share is AbRun.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carronade/request_source.h"
#include "carronade/run.h"
#include "cli/record_queue.h"
#include "dialects/ab/ab_faults.h"
#include "dialects/ab/ab_tally.h"

namespace carronade::dialects::ab {

// What the sources of a run share. Outlives the run.
class AbRun {
 public:
  AbRun(bool go_on_after_errors, int64_t timeout_ns)
      : go_on_(go_on_after_errors), timeout_ns_(timeout_ns) {}

  // Before the run starts: whose stop() a fault calls.
  void begin(Run& run) { run_ = &run; }
  // On the thread that makes the sources.
  AbTally& add_tally() { return *tallies_.emplace_back(std::make_unique<AbTally>()); }

  // Any worker: how an answer's body goes with the first one of the run, which fixes the length.
  enum class Length : uint8_t { kFirst, kSame, kOther };
  Length compare(uint64_t body_bytes) {
    uint64_t first = document_bytes_.load(std::memory_order_relaxed);
    if (first == body_bytes) return Length::kSame;
    if (first == kNoLength &&
        document_bytes_.compare_exchange_strong(first, body_bytes, std::memory_order_relaxed)) {
      return Length::kFirst;
    }
    return first == body_bytes ? Length::kSame : Length::kOther;
  }
  static constexpr uint64_t kNoLength = UINT64_MAX;  // no answer yet
  uint64_t document_bytes() const { return document_bytes_.load(std::memory_order_relaxed); }

  // Any worker: what was lost. The first fault ends the run.
  void lost(const Loss& loss, AbFailures& failures);

  // When the run is over.
  const std::optional<AbFault>& fault() const { return fault_; }
  const std::vector<std::unique_ptr<AbTally>>& tallies() const { return tallies_; }

 private:
  bool idle() const;
  void end(AbFault fault);

  const bool go_on_;
  const int64_t timeout_ns_;
  Run* run_ = nullptr;
  std::vector<std::unique_ptr<AbTally>> tallies_;
  std::atomic<uint64_t> document_bytes_{kNoLength};
  std::atomic<uint32_t> connect_failures_{0};  // before the first answer
  std::atomic<bool> ending_{false};
  std::optional<AbFault> fault_;  // written once, by who turned ending_ on
};

class AbSource : public RequestSource {
 public:
  // `connections`: of the whole run. `log`: hears each head, for -v 2; null for none.
  AbSource(AbRun& run, uint32_t connections, bool keep_alive, cli::RecordQueue* log)
      : run_(run),
        tally_(run.add_tally()),
        keep_alive_(keep_alive),
        log_(log),
        ended_ns_(connections) {}

  SourceWants wants() const override;
  bool on_response(const Response& response) override;
  void on_loss(const Loss& loss) override { run_.lost(loss, tally_.failures); }

 private:
  AbRecord record_of(const Response& response) const;

  AbRun& run_;
  AbTally& tally_;
  const bool keep_alive_;
  cli::RecordQueue* const log_;
  std::vector<int64_t> ended_ns_;  // the last answer of each connection
};

}  // namespace carronade::dialects::ab
