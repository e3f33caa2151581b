#include <algorithm>

#include "base/check.h"
#include "stats/histogram_codec.h"
#include "stats/recorder.h"
#include "stats/result_parts.h"

namespace carronade::stats {

namespace {

void add_totals(RunResult& result, const Recorder::Totals& totals) {
  result.connections_peak += totals.peak;
  result.connections_opened += totals.opened;
  result.reconnects += totals.reconnects;
  result.sent += totals.sent;
  result.answered += totals.answered;
  result.failed += totals.failed;
  result.timed_out += totals.timed_out;
  result.retried += totals.retried;
  result.mismatched += totals.mismatched;
  result.bytes_sent += totals.bytes_sent;
  result.bytes_received += totals.bytes_received;
  result.bytes_body += totals.bytes_body;
  result.tls_resumed += totals.tls_resumed;
}

void merge_intervals(RunResult& result, const std::vector<const IntervalHistograms*>& parts,
                     int64_t elapsed_ns) {
  size_t count = 0;
  for (const IntervalHistograms* part : parts) count = std::max(count, part->encoded().size());
  for (size_t i = 0; i < count; ++i) {
    const int64_t begin = IntervalHistograms::begin_of(i);
    const int64_t end = i + 1 < count ? IntervalHistograms::begin_of(i + 1) : elapsed_ns;
    result.intervals.push_back({.start_ns = begin,
                                .width_ns = std::max<int64_t>(end - begin, 0),
                                .latency = IntervalHistograms::merged(parts, i),
                                .service_time = {}});
  }
}

// Percentiles of each second, from the intervals in it.
void add_percentiles(RunResult& result) {
  Histogram second;
  size_t i = 0;
  for (Window& window : result.series) {
    second.reset();
    const bool last = &window == &result.series.back();
    const int64_t end = window.start_ns + window.width_ns;
    for (; i < result.intervals.size() && (last || result.intervals[i].start_ns < end); ++i) {
      CHECK(decode_histogram(result.intervals[i].latency, second));
    }
    if (second.empty()) continue;
    window.p50_ns = second.percentile(50);
    window.p99_ns = second.percentile(99);
  }
}

}  // namespace

RunResult merge(const std::vector<const Recorder*>& recorders, int64_t start_ns, int64_t end_ns) {
  RunResult result;
  result.elapsed_ns = end_ns - start_ns;
  ErrorRows errors;
  std::vector<const IntervalHistograms*> intervals;
  for (const Recorder* recorder : recorders) {
    result.sample_interval_ns = recorder->options_.sample_interval_ns;
    add_totals(result, recorder->totals_);
    for (size_t i = 0; i < result.by_status.size(); ++i) {
      result.by_status[i] += recorder->by_status_[i];
    }
    errors.add(recorder->errors_);
    result.latency.merge(recorder->latency_.total());
    intervals.push_back(&recorder->latency_);
    result.first_byte.merge(recorder->first_byte_);
    result.connect.merge(recorder->connect_);
    result.tls_handshake.merge(recorder->tls_handshake_);
    add_windows(result.samples, recorder->samples_.windows(), 0);
    add_windows(result.series, recorder->series_.windows(), 0);
  }
  result.errors = std::move(errors).most_frequent_first();

  merge_intervals(result, intervals, end_ns - start_ns);
  add_percentiles(result);
  return result;
}

}  // namespace carronade::stats
