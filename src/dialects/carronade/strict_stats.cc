#include "dialects/carronade/strict_stats.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace carronade::dialects {
namespace {

// Values below 2048 have a bucket each, above it 1024 buckets share each doubling.
constexpr int kExactBits = 11;
constexpr int64_t kMs = 1'000'000;

double ceil_to_hundredths(double number) { return std::ceil(number * 100) / 100; }

}  // namespace

void StrictStats::add(int64_t value, uint64_t count) {
  if (count == 0) return;
  value = std::max<int64_t>(value, 0);
  const auto bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(value)));
  const int shift = std::max(0, bits - kExactBits);
  const int64_t size = int64_t{1} << shift;
  const int64_t low = (value >> shift) << shift;
  const auto at = std::lower_bound(buckets_.begin(), buckets_.end(), low,
                                   [](const Bucket& b, int64_t wanted) { return b.low < wanted; });
  if (at != buckets_.end() && at->low == low) {
    at->count += count;
  } else {
    buckets_.insert(at, {low, low + size - 1, low + size / 2, count});
  }
  if (value > 0) min_ = min_ == 0 ? value : std::min(min_, value);
  max_ = std::max(max_, value);
  count_ += count;
}

double StrictStats::exact_mean() const {
  double sum = 0;
  for (const Bucket& b : buckets_)
    sum += static_cast<double>(b.middle) * static_cast<double>(b.count);
  return count_ == 0 ? 0 : sum / static_cast<double>(count_);
}

double StrictStats::average() const { return ceil_to_hundredths(exact_mean()); }

double StrictStats::stddev() const {
  if (count_ == 0) return 0;
  const double mean = exact_mean();
  double squares = 0;
  for (const Bucket& b : buckets_) {
    const double away = static_cast<double>(b.middle) - mean;
    squares += away * away * static_cast<double>(b.count);
  }
  return ceil_to_hundredths(std::sqrt(squares / static_cast<double>(count_)));
}

int64_t StrictStats::min() const { return min_; }
int64_t StrictStats::max() const { return max_; }

int64_t StrictStats::percentile(double percent) const {
  const double wanted = std::ceil(percent * static_cast<double>(count_) / 100);
  const auto rank = static_cast<uint64_t>(std::max(wanted, 1.0));
  uint64_t seen = 0;
  for (const Bucket& b : buckets_) {
    seen += b.count;
    if (seen >= rank) return b.high;
  }
  return buckets_.empty() ? 0 : buckets_.back().high;
}

std::vector<Window> strict_ticks(const RunResult& result) {
  std::vector<Window> ticks;
  for (const Window& window : result.samples) {
    const bool counts = window.width_ns * 2 >= result.sample_interval_ns ||
                        result.stopped_by != StoppedBy::kDuration || result.samples.size() == 1;
    if (counts) ticks.push_back(window);
  }
  return ticks;
}

StrictStats strict_latency(const Histogram& latency_ns) {
  StrictStats stats;
  if (latency_ns.empty()) return stats;
  const int first = Histogram::bucket_index(latency_ns.min());
  const int last = Histogram::bucket_index(latency_ns.max());
  for (int i = first; i <= last; ++i) {
    if (latency_ns.bucket(i) == 0) continue;
    // The outermost values are known exactly. In between the middle stands for the bucket, so
    // that one on the edge of a millisecond falls on the likelier side.
    int64_t value = Histogram::bucket_low(i);
    value += (Histogram::bucket_high(i) - value) / 2;
    if (i == first) value = latency_ns.min();
    if (i == last) value = latency_ns.max();
    stats.add(value / kMs, latency_ns.bucket(i));
  }
  return stats;
}

}  // namespace carronade::dialects
