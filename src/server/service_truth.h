// What the server meant to do and how well it did it, for /stats. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "carronade/histogram.h"

namespace carronade::server {

// When requests arrived.
class ArrivalRecord {
 public:
  static constexpr size_t kKeptMax = 200'000;
  static constexpr size_t kSecondsMax = 86'400;

  // `kept`: of how many arrivals the time itself is kept, up to kKeptMax.
  explicit ArrivalRecord(size_t kept);

  // `count` requests that came with one read, at a monotonic time.
  void add(int64_t arrival_ns, uint64_t count);

  // Second s has those from s to s + 1 s after the first one; the last of kSecondsMax has all
  // that came later.
  const std::vector<uint64_t>& per_second() const { return per_second_; }
  // The first kept ones in rising order, ns since the first of all.
  std::vector<int64_t> times_ns() const;
  size_t kept_limit() const { return kept_limit_; }

 private:
  size_t kept_limit_;
  int64_t first_ns_ = 0;
  std::vector<uint64_t> per_second_;
  std::vector<int64_t> times_ns_;  // monotonic
};

struct ServiceTruth {
  explicit ServiceTruth(size_t arrivals_kept) : arrivals(arrivals_kept) {}

  std::string law;       // the options that decide when answers leave
  Histogram service_ns;  // times drawn from the law, or ordered by the path
  Histogram delay_ns;  // due − arrival: with queue, capacity, stall and the order of a connection
  Histogram lateness_ns;  // sent − due
  ArrivalRecord arrivals;
};

// Members of the object that /stats gives, each with a comma before it.
std::string truth_members(const ServiceTruth& truth);
// The JSON document of /stats/arrivals.
std::string arrivals_json(const ArrivalRecord& arrivals);

}  // namespace carronade::server
