#include "stats/gap_distance.h"

#include <algorithm>
#include <cmath>

namespace carronade::stats {

namespace {

// √(-½ ln(α/2)) for α = 1 %: the limit law's point for two samples.
constexpr double kCritical99 = 1.6276;

// The largest lead of `first`'s distribution function over that of `second` further right by the
// tolerance. The whole bucket in which the shifted value lies counts for `second`: two values in
// one bucket cannot be told apart.
double largest_lead(const Histogram& first, const Histogram& second, int64_t tolerance_ns) {
  double largest = 0;
  uint64_t first_seen = 0;
  uint64_t second_seen = 0;
  int upto = -1;  // buckets of `second` that are counted
  const int last = Histogram::bucket_index(first.max());
  for (int i = Histogram::bucket_index(first.min()); i <= last; ++i) {
    if (first.bucket(i) == 0) continue;
    first_seen += first.bucket(i);
    const int64_t value = std::min(Histogram::bucket_high(i), first.max());
    const int reach = Histogram::bucket_index(value + tolerance_ns);
    while (upto < reach) second_seen += second.bucket(++upto);
    const double lead = static_cast<double>(first_seen) / static_cast<double>(first.count()) -
                        static_cast<double>(second_seen) / static_cast<double>(second.count());
    largest = std::max(largest, lead);
  }
  return largest;
}

}  // namespace

GapDistance gap_distance(const Histogram& planned, const Histogram& sent, int64_t tolerance_ns) {
  if (planned.empty() || sent.empty()) return {};
  const auto n = static_cast<double>(planned.count());
  const auto m = static_cast<double>(sent.count());
  return {std::max(largest_lead(planned, sent, tolerance_ns),
                   largest_lead(sent, planned, tolerance_ns)),
          kCritical99 * std::sqrt((n + m) / (n * m))};
}

}  // namespace carronade::stats
