// HOT. A histogram over a whole run that also keeps what each stretch of time added to it, in
// compact form: narrow intervals for the first ten minutes, wider ones after them. One writer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carronade/histogram.h"

namespace carronade::stats {

class IntervalHistograms {
 public:
  static constexpr int64_t kNarrowNs = 100'000'000;
  static constexpr int64_t kWideNs = 1'000'000'000;
  static constexpr size_t kNarrowIntervals = 6'000;

  // The first interval begins at start_ns.
  explicit IntervalHistograms(int64_t start_ns) : start_ns_(start_ns) {}

  void record(int64_t value) { open_.record(value); }
  void record_many(int64_t value, uint64_t count) { open_.record_many(value, count); }

  // Where the open interval ends, on the clock of start_ns.
  int64_t edge_ns() const { return start_ns_ + begin_of(encoded_.size() + 1); }
  // Closes the open interval and opens the next one.
  void close();
  // Closes the open interval at end_ns, which may lie in an interval closed before. Intervals that
  // begin at or after it are not kept; their values go to the last one that is. Once; afterwards
  // only read.
  void finish(int64_t end_ns);

  const Histogram& total() const { return total_; }
  // Of each interval, by histogram_codec.h; "" for an empty one.
  const std::vector<std::string>& encoded() const { return encoded_; }
  // Interval `index` of several that have the same start, as one; "" when it is empty.
  static std::string merged(const std::vector<const IntervalHistograms*>& parts, size_t index);
  // From the start of the run: where interval `index` begins; it ends where the next one does.
  static int64_t begin_of(size_t index) {
    const size_t narrow = index < kNarrowIntervals ? index : kNarrowIntervals;
    return static_cast<int64_t>(narrow) * kNarrowNs +
           static_cast<int64_t>(index - narrow) * kWideNs;
  }

 private:
  int64_t start_ns_;
  Histogram open_;
  Histogram total_;  // without the open interval
  std::vector<std::string> encoded_;
};

}  // namespace carronade::stats
