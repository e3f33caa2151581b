// Points over time, thinned out while they come in: memory does not grow with their number, and
// the lowest and the highest latency of each piece of time stay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace carronade::dialects::vegeta {

struct PlotPoint {
  int64_t unix_ns = 0;
  int64_t latency_ns = 0;
};

class PlotSeries {
 public:
  // At most about that many points are kept, exactly all of them as long as there are no more; 0
  // keeps all for good.
  explicit PlotSeries(size_t most_points) : most_points_(most_points) {}

  // In any order of time.
  void add(PlotPoint point);

  uint64_t count() const { return count_; }  // of all that were added
  int64_t first_ns() const { return first_ns_; }

  // In the order of time; no more than asked for (2 at least), extremes among them.
  std::vector<PlotPoint> points() const;

 private:
  // Of 2^shift_ ns, counted from 1970.
  struct Bucket {
    PlotPoint lowest;
    PlotPoint highest;
    bool any = false;
    void add(PlotPoint point);
  };
  void add_to_buckets(PlotPoint point);
  // Buckets for `index` too; pieces of time become twice as long as often as that takes.
  void make_room(int64_t index);
  void merge_pairs();

  size_t most_points_;
  uint64_t count_ = 0;
  int64_t first_ns_ = 0;
  int64_t last_ns_ = 0;
  std::vector<PlotPoint> all_;  // until there are too many
  int shift_ = 0;
  int64_t first_index_ = 0;  // of buckets_.front()
  std::deque<Bucket> buckets_;
};

}  // namespace carronade::dialects::vegeta
