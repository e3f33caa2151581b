// HOT. merge and reset run once a second beside the load; they touch the used range only.
#include "carronade/histogram.h"

#include <cmath>

namespace carronade {

// The constant of the header, which cannot call a function of the class it is in.
static_assert(Histogram::bucket_index(std::numeric_limits<int64_t>::max()) + 1 ==
              Histogram::bucket_count());

void Histogram::merge(const Histogram& other) {
  if (other.empty()) return;
  const auto first = static_cast<size_t>(bucket_index(other.min()));
  const auto last = static_cast<size_t>(bucket_index(other.max()));
  for (size_t i = first; i <= last; ++i) counts_[i] += other.counts_[i];
  add_summary(other.summary_);
}

void Histogram::reset() {
  if (empty()) return;
  std::fill(&counts_[static_cast<size_t>(bucket_index(min()))],
            &counts_[static_cast<size_t>(bucket_index(max()))] + 1, 0);
  summary_ = {};
}

double Histogram::mean() const { return empty() ? 0 : sum() / static_cast<double>(count()); }

double Histogram::stddev() const {
  if (empty()) return 0;
  // Squares about the whole part of the mean, in integers: sum_squares - mean² would leave
  // nothing but rounding where the spread is small beside the mean.
  const Wide n = count();
  const Wide whole = summary_.sum / n;
  const Wide squares = summary_.sum_squares - 2 * whole * summary_.sum + n * whole * whole;
  const double rest = static_cast<double>(summary_.sum % n) / static_cast<double>(n);
  const double variance = static_cast<double>(squares) / static_cast<double>(n) - rest * rest;
  return std::sqrt(std::max(variance, 0.0));
}

int64_t Histogram::percentile(double percent) const {
  if (empty()) return 0;
  const double exact = static_cast<double>(count()) * percent / 100;
  const double nearest = std::round(exact);
  // 99.9 has no exact double: 1000 samples must give rank 999, not the ceil of 999.0000000000001.
  const double rank = std::abs(exact - nearest) <= nearest * 1e-14 ? nearest : std::ceil(exact);
  if (rank >= static_cast<double>(count())) return max();
  const auto wanted = static_cast<uint64_t>(std::max(rank, 1.0));
  uint64_t seen = 0;
  const int last = bucket_index(max());
  for (int i = bucket_index(min()); i < last; ++i) {
    seen += bucket(i);
    if (seen >= wanted) return std::clamp(bucket_high(i), min(), max());
  }
  return max();
}

int64_t Histogram::bucket_low(int index) {
  const int shift = std::max(index / (kExact / 2) - 1, 0);
  return static_cast<int64_t>(index - shift * (kExact / 2)) << shift;
}

int64_t Histogram::bucket_high(int index) {
  if (index + 1 >= kBuckets) return std::numeric_limits<int64_t>::max();
  return bucket_low(index + 1) - 1;
}

}  // namespace carronade
