// HOT. The rate function of a RateSpec and its integral. Pure arithmetic: no clock, no I/O.
// Immutable: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "carronade/rate_spec.h"

namespace carronade::pace {

class RateProfile {
 public:
  // `stages` as a valid RateSpec has them.
  explicit RateProfile(const std::vector<RateStage>& stages);

  // When the last segment ends; RateSegment::kEndless when it does not.
  int64_t end_ns() const;
  // r(t), per second; 0 outside [0, end_ns()).
  double rate_at(int64_t time_ns) const;
  // Λ(t): the expected number of arrivals in [0, time_ns). 0 before 0, the total after the end.
  double count_until(int64_t time_ns) const;
  // Λ⁻¹(count): the first time by which so many are expected, rounded to the nearest ns;
  // RateSegment::kEndless when the profile ends before. Exact for constant and linear rates to
  // 1 ns over days; monotone in `count`. Times in a stretch without load are never given.
  int64_t time_of(double count) const;
  // The same in constant time for a caller whose counts never decrease; `piece` is 0 at first.
  int64_t time_of(double count, size_t& piece) const;

  // Stages, for the report.
  size_t stage_count() const;
  int64_t stage_start_ns(size_t stage) const;
  size_t stage_at(int64_t time_ns) const;  // the last one behind the end

 private:
  struct Piece {
    RateSegment segment;
    int64_t start_ns = 0;
    int64_t width_ns = 0;     // of an endless one: up to the last time there is
    double count_before = 0;  // Λ at its start
    double count = 0;         // what it adds to Λ
  };
  const Piece& piece_at(int64_t time_ns) const;
  int64_t time_in(const Piece& piece, double count) const;

  std::vector<Piece> pieces_;
  std::vector<int64_t> stage_starts_ns_;
  int64_t end_ns_ = 0;
  double total_ = 0;
};

// What the rounding of counts near `count` may amount to: 97/s over 10 s is 970 arrivals, though
// the product may come out a little above it.
constexpr double rounding_slack(double count) { return 1e-9 + 1e-13 * count; }

}  // namespace carronade::pace
