#include "stats/window_series.h"

#include <algorithm>

#include "stats/result_parts.h"

namespace carronade::stats {

void add_counts(Window& to, const Window& from) { add_counters(to, from); }

void WindowSeries::close(const Counters& now) {
  windows_.push_back({.start_ns = open_start_ns_,
                      .width_ns = width_ns_,
                      .sent = now.sent - before_.sent,
                      .answered = now.answered - before_.answered,
                      .errors = now.errors - before_.errors,
                      .dropped = now.dropped - before_.dropped,
                      .bytes_received = now.bytes_received - before_.bytes_received,
                      .connections = now.connections});
  before_ = now;
  open_start_ns_ += width_ns_;
}

void WindowSeries::finish(const Counters& now, int64_t end_ns) {
  close(now);
  const int64_t end = end_ns - start_ns_;
  while (!windows_.empty() && windows_.back().start_ns >= end) {
    const Window last = windows_.back();
    const bool counts =
        (last.sent | last.answered | last.errors | last.dropped | last.bytes_received) != 0;
    if (windows_.size() == 1 && counts) break;
    windows_.pop_back();
    if (windows_.empty()) break;
    windows_.back().connections = 0;  // a level: the later one holds
    add_counts(windows_.back(), last);
  }
  if (windows_.empty()) return;
  Window& last = windows_.back();
  last.width_ns = std::clamp<int64_t>(end - last.start_ns, 0, width_ns_);
}

}  // namespace carronade::stats
