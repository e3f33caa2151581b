#include "server/service_truth.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace carronade::server {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Nothing was measured: null, never 0.
std::string histogram_json(const Histogram& h) {
  if (h.empty()) {
    return R"({"count":0,"mean":null,"min":null,"max":null,)"
           R"("p50":null,"p90":null,"p99":null,"p99_9":null})";
  }
  return fmt::format(
      R"({{"count":{},"mean":{:.1f},"min":{},"max":{},"p50":{},"p90":{},"p99":{},"p99_9":{}}})",
      h.count(), h.mean(), h.min(), h.max(), h.percentile(50), h.percentile(90), h.percentile(99),
      h.percentile(99.9));
}

}  // namespace

ArrivalRecord::ArrivalRecord(size_t kept) : kept_limit_(std::min(kept, kKeptMax)) {
  times_ns_.reserve(kept_limit_);
}

void ArrivalRecord::add(int64_t arrival_ns, uint64_t count) {
  if (per_second_.empty()) first_ns_ = arrival_ns;
  // Of two threads the one with the earlier time may come second.
  const int64_t since_first = std::max<int64_t>(arrival_ns - first_ns_, 0);
  const size_t second = std::min(static_cast<size_t>(since_first / kSecond), kSecondsMax - 1);
  if (second >= per_second_.size()) per_second_.resize(second + 1);
  per_second_[second] += count;
  const uint64_t room = kept_limit_ - times_ns_.size();
  times_ns_.insert(times_ns_.end(), static_cast<size_t>(std::min(count, room)), arrival_ns);
}

std::vector<int64_t> ArrivalRecord::times_ns() const {
  std::vector<int64_t> times = times_ns_;
  std::sort(times.begin(), times.end());
  const int64_t first_ns = times.empty() ? 0 : times.front();
  for (int64_t& time : times) time -= first_ns;
  return times;
}

std::string truth_members(const ServiceTruth& truth) {
  return fmt::format(R"(,"law":"{}","serviceNs":{},"delayNs":{},"latenessNs":{},"arrivals":[{}])",
                     truth.law, histogram_json(truth.service_ns), histogram_json(truth.delay_ns),
                     histogram_json(truth.lateness_ns),
                     fmt::join(truth.arrivals.per_second(), ","));
}

std::string arrivals_json(const ArrivalRecord& arrivals) {
  const std::vector<int64_t> times = arrivals.times_ns();
  return fmt::format("{{\"limit\":{},\"recorded\":{},\"ns\":[{}]}}\n", arrivals.kept_limit(),
                     times.size(), fmt::join(times, ","));
}

}  // namespace carronade::server
