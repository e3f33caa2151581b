#include "dialects/vegeta/vegeta_plot_series.h"

#include <algorithm>

namespace carronade::dialects::vegeta {
namespace {

bool is_earlier(const PlotPoint& a, const PlotPoint& b) { return a.unix_ns < b.unix_ns; }

// Whatever the two are: their difference may be too large for int64_t.
uint64_t distance(int64_t from, int64_t to) {
  return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
}

}  // namespace

void PlotSeries::Bucket::add(PlotPoint point) {
  if (!any || point.latency_ns < lowest.latency_ns) lowest = point;
  if (!any || point.latency_ns > highest.latency_ns) highest = point;
  any = true;
}

void PlotSeries::add(PlotPoint point) {
  first_ns_ = count_ == 0 ? point.unix_ns : std::min(first_ns_, point.unix_ns);
  last_ns_ = count_ == 0 ? point.unix_ns : std::max(last_ns_, point.unix_ns);
  ++count_;
  if (most_points_ == 0 || count_ <= most_points_) {
    all_.push_back(point);
    return;
  }
  for (const PlotPoint& old : all_) add_to_buckets(old);
  if (!all_.empty()) std::vector<PlotPoint>().swap(all_);
  add_to_buckets(point);
}

void PlotSeries::add_to_buckets(PlotPoint point) {
  make_room(point.unix_ns >> shift_);
  buckets_[static_cast<size_t>((point.unix_ns >> shift_) - first_index_)].add(point);
}

void PlotSeries::make_room(int64_t index) {
  if (buckets_.empty()) {
    first_index_ = index;
    buckets_.emplace_back();
  }
  const auto last_index = [this] {
    return first_index_ + static_cast<int64_t>(buckets_.size()) - 1;
  };
  const size_t most = std::max<size_t>(most_points_, 2);
  while (distance(std::min(index, first_index_), std::max(index, last_index())) >= most) {
    merge_pairs();
    index >>= 1;
  }
  while (index < first_index_) {
    buckets_.emplace_front();
    --first_index_;
  }
  while (index > last_index()) buckets_.emplace_back();
}

void PlotSeries::merge_pairs() {
  std::deque<Bucket> merged;
  const int64_t new_first = first_index_ >> 1;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    const int64_t index = (first_index_ + static_cast<int64_t>(i)) >> 1;
    if (index >= new_first + static_cast<int64_t>(merged.size())) merged.emplace_back();
    if (!buckets_[i].any) continue;
    merged.back().add(buckets_[i].lowest);
    merged.back().add(buckets_[i].highest);
  }
  buckets_.swap(merged);
  first_index_ = new_first;
  ++shift_;
}

std::vector<PlotPoint> PlotSeries::points() const {
  std::vector<PlotPoint> found(all_);
  // Two points of each of so many pieces of the time that there is.
  std::vector<Bucket> pieces(buckets_.empty() ? 0 : std::max<size_t>(most_points_ / 2, 1));
  const uint64_t piece_ns =
      std::max<uint64_t>(distance(first_ns_, last_ns_) / std::max<size_t>(pieces.size(), 1), 1);
  for (const Bucket& bucket : buckets_) {
    if (!bucket.any) continue;
    for (const PlotPoint& point : {bucket.lowest, bucket.highest}) {
      const uint64_t place = distance(first_ns_, point.unix_ns) / piece_ns;
      pieces[std::min<uint64_t>(place, pieces.size() - 1)].add(point);
    }
  }
  for (const Bucket& piece : pieces) {
    if (!piece.any) continue;
    found.push_back(piece.lowest);
    const bool same = piece.lowest.unix_ns == piece.highest.unix_ns &&
                      piece.lowest.latency_ns == piece.highest.latency_ns;
    if (!same) found.push_back(piece.highest);
  }
  std::stable_sort(found.begin(), found.end(), is_earlier);
  return found;
}

}  // namespace carronade::dialects::vegeta
