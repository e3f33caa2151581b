// Statistics as autocannon's histograms give them, for the strict form: whole numbers in
// buckets of 3 significant digits, a percentile is the highest value of its bucket, average and
// standard deviation are those of the buckets' middles, rounded up to 2 decimals, and the
// smallest value is the smallest that is not 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "carronade/run_result.h"

namespace carronade::dialects {

class StrictStats {
 public:
  // Adds `count` times `value` ≥ 0. In any order.
  void add(int64_t value, uint64_t count);

  // All of them 0 without values.
  uint64_t count() const { return count_; }
  double average() const;
  double stddev() const;
  int64_t min() const;  // the smallest above 0
  int64_t max() const;
  int64_t percentile(double percent) const;

 private:
  struct Bucket {
    int64_t low;
    int64_t high;
    int64_t middle;
    uint64_t count;
  };
  double exact_mean() const;
  std::vector<Bucket> buckets_;  // ascending by low
  uint64_t count_ = 0;
  int64_t min_ = 0;
  int64_t max_ = 0;
};

// The windows that count as autocannon's ticks: all full ones; the cut last one too when the
// run did not end by its duration, when it is the only one, or when it is at least half a
// window, for autocannon would have gone on to the tick.
std::vector<Window> strict_ticks(const RunResult& result);

// Latencies in whole ms, fractions dropped.
StrictStats strict_latency(const Histogram& latency_ns);

// The percentiles of autocannon's result, in its order.
struct NamedPercentile {
  const char* key;   // "p97_5"
  const char* name;  // "97.5"
  double percent;
};
inline constexpr std::array<NamedPercentile, 15> kAutocannonPercentiles{
    {{"p0_001", "0.001", 0.001},
     {"p0_01", "0.01", 0.01},
     {"p0_1", "0.1", 0.1},
     {"p1", "1", 1},
     {"p2_5", "2.5", 2.5},
     {"p10", "10", 10},
     {"p25", "25", 25},
     {"p50", "50", 50},
     {"p75", "75", 75},
     {"p90", "90", 90},
     {"p97_5", "97.5", 97.5},
     {"p99", "99", 99},
     {"p99_9", "99.9", 99.9},
     {"p99_99", "99.99", 99.99},
     {"p99_999", "99.999", 99.999}}};

}  // namespace carronade::dialects
