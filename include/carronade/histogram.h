// HOT. A histogram of non-negative int64 values (nanoseconds, as a rule) in the HDR layout: 3
// significant digits from 1 to 3.6e12 (1 ns to 1 h), larger values clamped into the last
// bucket; exact count, min, max, sum and sum of squares kept beside the buckets. Layout after
// G. Tene's HdrHistogram. Not thread-safe: one writer; merge when it is done.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>

namespace carronade {

class Histogram {
 public:
  Histogram() : counts_(zeros()) {}
  Histogram(const Histogram& other) : Histogram() { merge(other); }
  Histogram& operator=(const Histogram& other);
  // One that was moved from can be assigned to and destroyed, nothing else.
  Histogram(Histogram&&) noexcept = default;
  Histogram& operator=(Histogram&&) noexcept = default;
  ~Histogram() = default;

  // Adds one value, or `count` times the same. Negative values count as 0. O(1), no allocation.
  void record(int64_t value) { record_many(value, 1); }
  void record_many(int64_t value, uint64_t count) {
    if (count == 0) return;
    value = std::max<int64_t>(value, 0);
    counts_[static_cast<size_t>(bucket_index(value))] += count;
    const Wide total = static_cast<Wide>(value) * count;
    add_summary({count, value, value, total, total * static_cast<Wide>(value)});
  }

  // Adds all of `other`; nothing is lost.
  void merge(const Histogram& other);
  void reset();

  uint64_t count() const { return summary_.count; }
  bool empty() const { return summary_.count == 0; }
  // Exact; 0 when empty (callers print n/a: test empty() first).
  int64_t min() const { return empty() ? 0 : summary_.min; }
  int64_t max() const { return summary_.max; }
  double mean() const;
  double stddev() const;  // of the population
  double sum() const { return static_cast<double>(summary_.sum); }

  // Nearest rank: the highest value equivalent to the bucket of the sample with rank
  // ceil(count * percent / 100), never above max() nor below min(). `percent` in 0 … 100.
  // 0 when empty.
  int64_t percentile(double percent) const;

  // Buckets, for codecs: bucket i holds the values bucket_low(i) … bucket_high(i), both
  // inclusive; the last one has no upper end (INT64_MAX). 0 ≤ index < bucket_count().
  static constexpr int bucket_count() { return kBuckets; }
  static constexpr int bucket_index(int64_t value) {
    const auto v = static_cast<uint64_t>(std::clamp<int64_t>(value, 0, kHighest));
    // 2048 buckets one wide, then 1024 for each doubling: below 0.1 % of the value.
    const int shift = static_cast<int>(std::bit_width(v | (kExact - 1))) - kExactBits;
    return shift * (kExact / 2) + static_cast<int>(v >> shift);
  }
  static int64_t bucket_low(int index);
  static int64_t bucket_high(int index);
  uint64_t bucket(int index) const { return counts_[static_cast<size_t>(index)]; }

  // For codecs: what is kept beside the buckets, exact modulo 2^128. A histogram is put
  // together from its buckets and its summary, each added to what is there; before it has both
  // it is not to be copied.
  __extension__ using Wide = unsigned __int128;
  struct Summary {
    uint64_t count = 0;
    int64_t min = std::numeric_limits<int64_t>::max();
    int64_t max = 0;
    Wide sum = 0;
    Wide sum_squares = 0;
  };
  const Summary& summary() const { return summary_; }
  void add_bucket(int index, uint64_t count) { counts_[static_cast<size_t>(index)] += count; }
  void add_summary(const Summary& other) {
    summary_.count += other.count;
    summary_.min = std::min(summary_.min, other.min);
    summary_.max = std::max(summary_.max, other.max);
    summary_.sum += other.sum;
    summary_.sum_squares += other.sum_squares;
  }

 private:
  static constexpr int64_t kHighest = 3'600'000'000'000;
  static constexpr int kExactBits = 11;
  static constexpr int kExact = 1 << kExactBits;
  static constexpr int kBuckets = 33'421;  // bucket_index(kHighest) + 1, checked in the .cc

  struct Free {
    void operator()(uint64_t* counts) const { std::free(counts); }
  };
  using Counts = std::unique_ptr<uint64_t[], Free>;
  // A page of buckets costs memory and a page fault once something is counted in it, not before:
  // a worker has a dozen histograms, and most of their 65 pages stay as they are.
  static Counts zeros();

  Counts counts_;
  Summary summary_;
};

}  // namespace carronade
