// Stands in for stats/recorder.h in the variant of closed_loop that measures nothing: the same
// calls, of which only what steers the loop or tells a broken run from a good one is kept.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "carronade/run_result.h"

namespace carronade::stats {

class Recorder {
 public:
  struct Options {
    int64_t start_ns = 0;
    int64_t sample_interval_ns = 0;
    bool exclude_error_stats = false;
  };
  struct Totals {
    uint64_t sent = 0, answered = 0, failed = 0, timed_out = 0, errors = 0;
    uint64_t bytes_received = 0, open = 0, refused = 0;
  };

  explicit Recorder(const Options&) {}
  void start(int64_t) {}
  bool advance(int64_t) { return false; }
  void answered(uint16_t, int64_t, int64_t, uint64_t, uint64_t, uint32_t count = 1) {
    totals_.answered += count;
  }
  void sent(uint64_t requests) { totals_.sent += requests; }
  void bytes_sent(uint64_t) {}
  void bytes_received(uint64_t) {}
  void retried(uint64_t) {}
  void mismatched() {}
  void refused() { ++totals_.refused; }
  void error(ErrorKind, Phase, std::string_view, uint64_t requests) {
    ++totals_.errors;
    totals_.failed += requests;
  }
  void connected(int64_t) {}
  void tls_done(int64_t, bool) {}
  void opened(bool) { ++totals_.open; }
  void closed() { --totals_.open; }
  void finish(int64_t) {}

  const Totals& totals() const { return totals_; }
  const std::vector<ErrorCount>& errors() const { return errors_; }

 private:
  Totals totals_;
  std::vector<ErrorCount> errors_;
};

}  // namespace carronade::stats
