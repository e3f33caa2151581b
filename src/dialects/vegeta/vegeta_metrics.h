// The figures of vegeta's reports, over any number of results in constant memory.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carronade/histogram.h"
#include "dialects/vegeta/vegeta_result.h"
#include "dialects/vegeta/vegeta_text.h"

namespace carronade::dialects::vegeta {

class ResultMetrics {
 public:
  ResultMetrics() : codes_(size_t{1} << 16) {}
  void add(const Result& result);

  uint64_t requests() const { return latency_.count(); }
  // Values in ns; percentiles within 0.1 %, all else exact.
  const Histogram& latency() const { return latency_; }
  int64_t latency_total_ns() const;
  int64_t latency_mean_ns() const;

  uint64_t bytes_in() const { return bytes_in_; }
  uint64_t bytes_out() const { return bytes_out_; }
  double bytes_in_mean() const { return per_request(static_cast<double>(bytes_in_)); }
  double bytes_out_mean() const { return per_request(static_cast<double>(bytes_out_)); }
  // The share of answers of 200 … 399.
  double success() const { return per_request(static_cast<double>(successes_)); }

  // Of the first and the last request, and the end of the last answer. Not to be asked for when
  // there was no request.
  ZonedTime earliest() const { return earliest_; }
  ZonedTime latest() const { return latest_; }
  ZonedTime end() const { return end_; }
  int64_t attack_ns() const { return saturated_difference(latest_.unix_ns, earliest_.unix_ns); }
  int64_t wait_ns() const { return saturated_difference(end_.unix_ns, latest_.unix_ns); }
  int64_t total_ns() const { return saturated_difference(end_.unix_ns, earliest_.unix_ns); }
  // Requests a second from the first to the last; the count when that is no time.
  double rate() const;
  // Successes a second up to the end of the last answer; their count when the attack was no time.
  double throughput() const;

  // In the order of the texts, as "0" "1000" "200".
  std::vector<std::pair<std::string, uint64_t>> status_codes() const;
  // Each text once, in the order of first appearance. Beyond kMostErrors of them, or
  // kMostErrorBytes together, a last line counts the results whose text was not kept.
  std::vector<std::string> errors() const;

  static constexpr size_t kMostErrors = 10'000;
  static constexpr size_t kMostErrorBytes = size_t{4} << 20;

 private:
  double per_request(double total) const {
    return requests() == 0 ? 0 : total / static_cast<double>(requests());
  }
  void add_error(const std::string& text);

  Histogram latency_;
  uint64_t bytes_in_ = 0;
  uint64_t bytes_out_ = 0;
  uint64_t successes_ = 0;
  ZonedTime earliest_;
  ZonedTime latest_;
  ZonedTime end_;
  std::vector<uint64_t> codes_;
  std::set<std::string, std::less<>> known_errors_;
  std::vector<std::string_view> errors_;  // into known_errors_
  size_t error_bytes_ = 0;
  uint64_t errors_not_kept_ = 0;
};

}  // namespace carronade::dialects::vegeta
