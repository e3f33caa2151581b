#include <algorithm>
#include <optional>

#include "base/check.h"
#include "stats/histogram_codec.h"
#include "stats/steadiness.h"

namespace carronade::stats {

namespace {

struct Course {
  std::vector<double> medians;
  std::vector<double> rates;
};

// The intervals that show the load at work: not the draining after an open loop's schedule, nor
// one that the end of the run cut to less than half. One without an answer has the median of
// its neighbour.
Course course_of(const RunResult& result) {
  Course course;
  const std::vector<Interval>& intervals = result.intervals;
  const int64_t end_ns = result.rate ? result.rate->load_ns : INT64_MAX;
  const int64_t full_ns = intervals.empty() ? 0 : intervals.front().width_ns;
  Histogram scratch;
  std::optional<double> median;
  for (const Interval& interval : intervals) {
    if (interval.start_ns > end_ns - interval.width_ns || interval.width_ns * 2 < full_ns) break;
    CHECK(decode_histogram(interval.latency, scratch));
    if (!scratch.empty()) {
      if (!median) {
        std::fill(course.medians.begin(), course.medians.end(), scratch.percentile(50));
      }
      median = static_cast<double>(scratch.percentile(50));
    }
    course.medians.push_back(median.value_or(0));
    course.rates.push_back(static_cast<double>(scratch.count()) /
                           static_cast<double>(std::max<int64_t>(interval.width_ns, 1)));
    scratch.reset();
  }
  return course;
}

}  // namespace

void set_warmup_apart(RunResult& result) {
  WarmupResult& warmup = result.warmup.emplace();
  const Course course = course_of(result);
  const Cut by_median = mser5(course.medians);
  const Cut by_rate = mser5(course.rates);
  warmup.settled = by_median.settled && by_rate.settled;
  const size_t cut = std::max(by_median.observations, by_rate.observations);
  if (!warmup.settled || cut == 0) return;

  const bool has_service =
      result.rate && std::any_of(result.intervals.begin(), result.intervals.end(),
                                 [](const Interval& each) { return !each.service_time.empty(); });
  result.latency.reset();
  if (has_service) result.rate->service_time.reset();
  for (size_t i = 0; i < result.intervals.size(); ++i) {
    const Interval& interval = result.intervals[i];
    const bool before = i < cut;
    CHECK(decode_histogram(interval.latency, before ? warmup.latency : result.latency));
    if (!has_service) continue;
    CHECK(decode_histogram(interval.service_time,
                           before ? warmup.service_time : result.rate->service_time));
  }
  warmup.width_ns = result.intervals[cut].start_ns;
  warmup.answered = warmup.latency.count();
  std::erase_if(result.samples,
                [&](const Window& window) { return window.start_ns < warmup.width_ns; });
}

}  // namespace carronade::stats
