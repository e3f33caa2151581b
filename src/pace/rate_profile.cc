// HOT. Only the constructor allocates.
#include "pace/rate_profile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"
#include "pace/sine_rate.h"

namespace carronade::pace {

namespace {

// Λ of a segment that is `width_ns` long, from its own start; time_ns within it.
double count_in(const RateSegment& segment, int64_t width_ns, int64_t time_ns) {
  if (segment.shape == RateSegment::Shape::kSine) return sine_count(segment, time_ns);
  const double time_s = static_cast<double>(time_ns) / 1e9;
  if (segment.from == segment.to) return segment.from * time_s;
  const double share = static_cast<double>(time_ns) / static_cast<double>(width_ns);
  return (segment.from + (segment.to - segment.from) / 2 * share) * time_s;
}

// How long it takes, in s, to `count` arrivals from a rate of `from` that rises by `slope` a
// second. Written so that nothing cancels, whichever of the two is small.
double rising_time_s(double from, double slope, double count) {
  return count > 0 ? 2 * count / (from + std::sqrt(from * from + 2 * slope * count)) : 0;
}

// Λ⁻¹ of a linear segment that has `total` arrivals, from its own start.
double linear_time_ns(const RateSegment& segment, int64_t width_ns, double total, double count) {
  if (segment.from == segment.to) return count * 1e9 / segment.from;
  const auto width = static_cast<double>(width_ns);
  const double slope = (segment.to - segment.from) / (width / 1e9);
  if (slope > 0) return rising_time_s(segment.from, slope, count) * 1e9;
  // A falling rate is a rising one looked at from its end.
  return width - rising_time_s(segment.to, -slope, total - count) * 1e9;
}

}  // namespace

RateProfile::RateProfile(const std::vector<RateStage>& stages) {
  CHECK(!stages.empty());
  for (const RateStage& stage : stages) {
    CHECK(!stage.segments.empty());
    stage_starts_ns_.push_back(end_ns_);
    for (const RateSegment& segment : stage.segments) {
      // Segments may add up to more time than there is.
      const int64_t width_ns = std::min(segment.duration_ns, RateSegment::kEndless - end_ns_);
      if (width_ns <= 0) continue;
      const double count = count_in(segment, width_ns, width_ns);
      pieces_.push_back({segment, end_ns_, width_ns, total_, count});
      end_ns_ += width_ns;
      total_ += count;
    }
  }
}

int64_t RateProfile::end_ns() const { return end_ns_; }

const RateProfile::Piece& RateProfile::piece_at(int64_t time_ns) const {
  const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), time_ns,
                                      [](int64_t t, const Piece& p) { return t < p.start_ns; });
  return *(after - 1);
}

double RateProfile::rate_at(int64_t time_ns) const {
  if (time_ns < 0 || time_ns >= end_ns_) return 0;
  const Piece& piece = piece_at(time_ns);
  const RateSegment& segment = piece.segment;
  const int64_t within_ns = time_ns - piece.start_ns;
  const double swing = segment.to - segment.from;
  if (segment.shape == RateSegment::Shape::kSine) {
    const double share =
        static_cast<double>(within_ns % segment.period_ns) / static_cast<double>(segment.period_ns);
    return segment.from + swing * (1 - std::cos(2 * std::numbers::pi * share)) / 2;
  }
  return segment.from +
         swing * static_cast<double>(within_ns) / static_cast<double>(piece.width_ns);
}

double RateProfile::count_until(int64_t time_ns) const {
  if (time_ns <= 0) return 0;
  if (time_ns >= end_ns_) return total_;
  const Piece& piece = piece_at(time_ns);
  return piece.count_before + count_in(piece.segment, piece.width_ns, time_ns - piece.start_ns);
}

int64_t RateProfile::time_in(const Piece& piece, double count) const {
  const double within = std::max(count - piece.count_before, 0.0);
  const double time_ns = piece.segment.shape == RateSegment::Shape::kSine
                             ? sine_time_ns(piece.segment, within)
                             : linear_time_ns(piece.segment, piece.width_ns, piece.count, within);
  // What rounds to the end would already lie in the next piece, and that may have no load.
  const int64_t last_ns = piece.width_ns - 1;
  if (time_ns >= static_cast<double>(last_ns)) return piece.start_ns + last_ns;
  return piece.start_ns + static_cast<int64_t>(std::max(time_ns, 0.0) + 0.5);
}

int64_t RateProfile::time_of(double count) const {
  const double least = count + rounding_slack(count);
  const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), least,
                                      [](double c, const Piece& p) { return c < p.count_before; });
  auto piece = static_cast<size_t>(after - 1 - pieces_.begin());
  return time_of(count, piece);
}

int64_t RateProfile::time_of(double count, size_t& piece) const {
  // The last piece that begins by then: those without load are passed over, because the next
  // one begins with the same count.
  const double least = count + rounding_slack(count);
  while (piece + 1 < pieces_.size() && pieces_[piece + 1].count_before <= least) ++piece;
  return least >= total_ ? RateSegment::kEndless : time_in(pieces_[piece], count);
}

size_t RateProfile::stage_count() const { return stage_starts_ns_.size(); }

int64_t RateProfile::stage_start_ns(size_t stage) const { return stage_starts_ns_[stage]; }

size_t RateProfile::stage_at(int64_t time_ns) const {
  const auto after =
      std::upper_bound(stage_starts_ns_.begin() + 1, stage_starts_ns_.end(), time_ns);
  return static_cast<size_t>(after - 1 - stage_starts_ns_.begin());
}

}  // namespace carronade::pace
