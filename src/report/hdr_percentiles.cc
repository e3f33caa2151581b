// The rows that HdrHistogram's outputPercentileDistribution prints, level by level.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/hdr_log.h"

namespace carronade::report {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kTicksPerHalfDistance = 5;

double ms(int64_t ns) { return static_cast<double>(ns) / kNsPerMs; }

// The level of the row after that of `percent` (0 … < 100): 5 steps to 50, 5 more to 75, …
double next_level(double percent) {
  const double halvings = std::floor(std::log2(100 / (100 - percent)));
  return percent + 100 / (kTicksPerHalfDistance * std::exp2(halvings + 1));
}

// Halves of 1024 buckets that the range needs, and buckets in the first of them.
constexpr int kReadersBuckets = 32;
constexpr int kSubBuckets = 2048;

}  // namespace

void each_percentile_row(const Histogram& histogram,
                         const std::function<void(const PercentileRow&)>& row) {
  const auto total = static_cast<double>(histogram.count());
  uint64_t seen = 0;
  double level = 0;
  for (int i = 0; i < Histogram::bucket_count() && seen < histogram.count(); ++i) {
    if (histogram.bucket(i) == 0) continue;
    seen += histogram.bucket(i);
    const int64_t ns = std::clamp(Histogram::bucket_high(i), histogram.min(), histogram.max());
    const bool last = seen == histogram.count();
    while (level < 100 && level <= 100 * static_cast<double>(seen) / total) {
      row({ns, level, seen});
      level = next_level(level);
      if (last) break;  // one row, then that of 100 %
    }
  }
  if (seen > 0) row({histogram.max(), 100, seen});
}

std::string hgrm_text(const Histogram& histogram) {
  std::string out = fmt::format("{:>12} {:>14} {:>10} {:>14}\n\n", "Value", "Percentile",
                                "TotalCount", "1/(1-Percentile)");
  each_percentile_row(histogram, [&out](const PercentileRow& row) {
    const double level = row.percent / 100;
    out += fmt::format("{:12.3f} {:.12f} {:10}", ms(row.value_ns), level, row.count);
    if (row.percent < 100) out += fmt::format(" {:14.2f}", 1 / (1 - level));
    out += '\n';
  });
  out += fmt::format("#[Mean    = {:12.3f}, StdDeviation   = {:12.3f}]\n",
                     histogram.mean() / kNsPerMs, histogram.stddev() / kNsPerMs);
  out += fmt::format("#[Max     = {:12.3f}, Total count    = {:12}]\n", ms(histogram.max()),
                     histogram.count());
  out += fmt::format("#[Buckets = {:12}, SubBuckets     = {:12}]\n", kReadersBuckets, kSubBuckets);
  return out;
}

}  // namespace carronade::report
