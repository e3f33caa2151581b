#include <fmt/format.h>

#include <array>

#include "dialects/wrk/wrk_report.h"
#include "dialects/wrk/wrk_units.h"
#include "report/hdr_log.h"

namespace carronade::dialects::wrk {
namespace {

constexpr double kNsPerUs = 1e3;
constexpr double kNsPerMs = 1e6;
constexpr std::array<double, 8> kPercents{50, 75, 90, 99, 99.9, 99.99, 99.999, 100};

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
  // The last row's distance to 100 % is none, and its inverse "inf".
  report::each_percentile_row(histogram, [&out](const report::PercentileRow& row) {
    out += fmt::format("{:12.3f} {:12.6f} {:12} {:>12.2f}\n",
                       static_cast<double>(row.value_ns) / kNsPerMs, row.percent / 100, row.count,
                       1 / (1 - row.percent / 100));
  });
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
