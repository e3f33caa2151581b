// HOT. roll() runs once a window; it allocates the window's row and the interval's compact
// histogram, and nothing else.
#include "stats/recorder.h"

#include <limits>

#include "base/check.h"

namespace carronade::stats {

namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

}  // namespace

Recorder::Recorder(const Options& options)
    : options_(options),
      next_edge_ns_(options.start_ns),  // the first advance() finds the edges
      latency_(options.start_ns),
      samples_(options.start_ns, options.sample_interval_ns),
      series_(options.start_ns, kSecondNs) {}

void Recorder::start(int64_t start_ns) {
  DCHECK(totals_.sent == 0);
  next_edge_ns_ = start_ns;
  latency_ = IntervalHistograms(start_ns);
  samples_ = WindowSeries(start_ns, options_.sample_interval_ns);
  series_ = WindowSeries(start_ns, kSecondNs);
}

WindowSeries::Counters Recorder::counters() const {
  return {.sent = totals_.sent,
          .answered = totals_.answered,
          .errors = totals_.errors,
          .bytes_received = options_.exclude_error_stats ? counted_bytes_ : totals_.bytes_received,
          .connections = totals_.open,
          .dropped = totals_.refused};
}

void Recorder::roll(int64_t now_ns) {
  // All counts since the last call belong to the window that was open then: the first closed
  // here. A late call finds the windows after it empty.
  const WindowSeries::Counters now = counters();
  while (samples_.edge_ns() <= now_ns) samples_.close(now);
  while (series_.edge_ns() <= now_ns) series_.close(now);
  while (latency_.edge_ns() <= now_ns) latency_.close();
  next_edge_ns_ = std::min({samples_.edge_ns(), series_.edge_ns(), latency_.edge_ns()});
}

void Recorder::finish(int64_t end_ns) {
  DCHECK(next_edge_ns_ != std::numeric_limits<int64_t>::max());
  advance(end_ns);
  next_edge_ns_ = std::numeric_limits<int64_t>::max();
  const WindowSeries::Counters now = counters();
  samples_.finish(now, end_ns);
  series_.finish(now, end_ns);
  latency_.finish(end_ns);
}

void Recorder::error(ErrorKind kind, Phase phase, std::string_view text, uint64_t requests) {
  const uint64_t count = std::max<uint64_t>(requests, 1);
  totals_.errors += count;
  const bool timeout = kind == ErrorKind::kTimeout || kind == ErrorKind::kConnectTimeout;
  (timeout ? totals_.timed_out : totals_.failed) += requests;

  ErrorCount* alike = nullptr;
  for (ErrorCount& row : errors_) {
    if (row.kind != kind || row.phase != phase) continue;
    if (row.text == text) {
      row.count += count;
      row.requests += requests;
      return;
    }
    if (alike == nullptr) alike = &row;
  }
  if (errors_.size() < kMaxErrorRows || alike == nullptr) {
    errors_.push_back({kind, phase, std::string(text), count, requests});
  } else {
    alike->count += count;
    alike->requests += requests;
  }
}

}  // namespace carronade::stats
