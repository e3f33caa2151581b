#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dialects/wrk/wrk_report.h"
#include "dialects/wrk/wrk_units.h"

namespace carronade::dialects::wrk {
namespace {

constexpr double kNsPerUs = 1e3;
constexpr double kNsPerMs = 1e6;
constexpr std::array<double, 8> kPercents{50, 75, 90, 99, 99.9, 99.99, 99.999, 100};
constexpr double kTicksPerHalfDistance = 5;

std::string spectrum_row(double ms, double percent, uint64_t count) {
  // The last row's distance to 100 % is none, and its inverse "inf".
  return fmt::format("{:12.3f} {:12.6f} {:12} {:>12.2f}\n", ms, percent / 100, count,
                     1 / (1 - percent / 100));
}

// The level of the row after that of `percent` (0 … < 100): 5 steps to 50, 5 more to 75, …
double next_level(double percent) {
  const double halvings = std::floor(std::log2(100 / (100 - percent)));
  return percent + 100 / (kTicksPerHalfDistance * std::exp2(halvings + 1));
}

std::string spectrum_rows(const Histogram& histogram) {
  std::string out;
  const auto total = static_cast<double>(histogram.count());
  uint64_t seen = 0;
  double level = 0;
  for (int i = 0; i < Histogram::bucket_count() && seen < histogram.count(); ++i) {
    if (histogram.bucket(i) == 0) continue;
    seen += histogram.bucket(i);
    const int64_t ns = std::clamp(Histogram::bucket_high(i), histogram.min(), histogram.max());
    const bool last = seen == histogram.count();
    while (level < 100 && level <= 100 * static_cast<double>(seen) / total) {
      out += spectrum_row(static_cast<double>(ns) / kNsPerMs, level, seen);
      level = next_level(level);
      if (last) break;  // one row, then that of 100 %
    }
  }
  if (seen > 0) out += spectrum_row(static_cast<double>(histogram.max()) / kNsPerMs, 100, seen);
  return out;
}

}  // namespace

std::string spectrum_text(const Histogram& histogram, const std::string& name) {
  std::string out = fmt::format("  Latency Distribution (HdrHistogram - {})\n", name);
  for (const double percent : kPercents) {
    const double us = static_cast<double>(histogram.percentile(percent)) / kNsPerUs;
    out += fmt::format("{:7.3f}%{}\n", percent, time_text(us, 10));
  }
  out += "\n  Detailed Percentile spectrum:\n";
  out += fmt::format("{:>12} {:>12} {:>12} {:>12}\n\n", "Value", "Percentile", "TotalCount",
                     "1/(1-Percentile)");
  out += spectrum_rows(histogram);
  out += fmt::format("#[Mean    = {:12.3f}, StdDeviation   = {:12.3f}]\n",
                     histogram.mean() / kNsPerMs, histogram.stddev() / kNsPerMs);
  out += fmt::format("#[Max     = {:12.3f}, Total count    = {:12}]\n",
                     static_cast<double>(histogram.max()) / kNsPerMs, histogram.count());
  // Of carronade's own histogram: 2048 buckets of one value, 1024 for each doubling after them.
  constexpr int kSubBuckets = 2048;
  constexpr int kDoublings = (Histogram::bucket_count() - 1) / (kSubBuckets / 2);
  out += fmt::format("#[Buckets = {:12}, SubBuckets     = {:12}]\n", kDoublings, kSubBuckets);
  return out + std::string(58, '-') + "\n";
}

}  // namespace carronade::dialects::wrk
