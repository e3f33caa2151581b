#include "dialects/vegeta/vegeta_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace carronade::dialects::vegeta {
namespace {

constexpr double kSecond = 1e9;

int64_t saturated_sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

}  // namespace

void ResultMetrics::add(const Result& result) {
  const ZonedTime begin{result.timestamp_unix_ns, result.zone_minutes};
  const ZonedTime end{saturated_sum(begin.unix_ns, result.latency_ns), begin.zone_minutes};
  if (requests() == 0) {
    earliest_ = latest_ = begin;
    end_ = end;
  }
  if (begin.unix_ns < earliest_.unix_ns) earliest_ = begin;
  if (begin.unix_ns > latest_.unix_ns) latest_ = begin;
  if (end.unix_ns > end_.unix_ns) end_ = end;
  latency_.record(result.latency_ns);
  bytes_in_ += result.bytes_in;
  bytes_out_ += result.bytes_out;
  ++codes_[result.code];
  if (result.code >= 200 && result.code < 400) ++successes_;
  if (!result.error.empty()) add_error(result.error);
}

void ResultMetrics::add_error(const std::string& text) {
  if (known_errors_.contains(text)) return;
  if (errors_.size() >= kMostErrors || error_bytes_ + text.size() > kMostErrorBytes) {
    ++errors_not_kept_;
    return;
  }
  errors_.push_back(*known_errors_.insert(text).first);
  error_bytes_ += text.size();
}

int64_t ResultMetrics::latency_total_ns() const {
  const Histogram::Wide most = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::min(latency_.summary().sum, most));
}

int64_t ResultMetrics::latency_mean_ns() const {
  return requests() == 0 ? 0 : static_cast<int64_t>(latency_.summary().sum / requests());
}

double ResultMetrics::rate() const {
  const auto count = static_cast<double>(requests());
  return attack_ns() > 0 ? count / (static_cast<double>(attack_ns()) / kSecond) : count;
}

double ResultMetrics::throughput() const {
  const auto count = static_cast<double>(successes_);
  if (attack_ns() <= 0) return count;
  return count / (static_cast<double>(total_ns()) / kSecond);
}

std::vector<std::pair<std::string, uint64_t>> ResultMetrics::status_codes() const {
  std::vector<std::pair<std::string, uint64_t>> found;
  for (size_t code = 0; code < codes_.size(); ++code) {
    if (codes_[code] != 0) found.emplace_back(fmt::format("{}", code), codes_[code]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> ResultMetrics::errors() const {
  std::vector<std::string> texts(errors_.begin(), errors_.end());
  if (errors_not_kept_ > 0) {
    texts.push_back(
        fmt::format("({} more results with errors whose texts were not kept)", errors_not_kept_));
  }
  return texts;
}

}  // namespace carronade::dialects::vegeta
