// vegeta's reports as text: from figures to what is printed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "dialects/vegeta/vegeta_metrics.h"

namespace carronade::dialects::vegeta {

// Latencies counted in buckets that the user names by their lower bounds.
class BucketCounts {
 public:
  // "[0,1ms,10ms]"; a first bound above 0 gets a bucket from 0 before it. Errors in vegeta's words.
  static Expected<BucketCounts> parse(std::string_view text);

  void add(int64_t latency_ns);
  const std::vector<int64_t>& bounds_ns() const { return bounds_ns_; }
  const std::vector<uint64_t>& counts() const { return counts_; }
  uint64_t total() const { return total_; }

 private:
  std::vector<int64_t> bounds_ns_;
  std::vector<uint64_t> counts_;
  uint64_t total_ = 0;
};

std::string text_report(const ResultMetrics& metrics);
// One line. `buckets` may be null.
std::string json_report(const ResultMetrics& metrics, const BucketCounts* buckets);
std::string hist_report(const BucketCounts& buckets);
std::string hdrplot_report(const ResultMetrics& metrics);

}  // namespace carronade::dialects::vegeta
