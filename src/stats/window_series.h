// Windows of one width, cut from counters that only grow: each window is the difference of two
// readings.
#pragma once

#include <cstdint>
#include <vector>

#include "carronade/run_result.h"

namespace carronade::stats {

class WindowSeries {
 public:
  // A reading of the counters; `connections` is a level, the others grow.
  struct Counters {
    uint64_t sent = 0;
    uint64_t answered = 0;
    uint64_t errors = 0;
    uint64_t bytes_received = 0;
    uint64_t connections = 0;
    uint64_t dropped = 0;
  };

  // The first window is [start_ns, start_ns + width_ns). width_ns > 0.
  WindowSeries(int64_t start_ns, int64_t width_ns) : start_ns_(start_ns), width_ns_(width_ns) {}

  // Where the open window ends, on the clock of start_ns.
  int64_t edge_ns() const { return start_ns_ + open_start_ns_ + width_ns_; }

  // Closes the open window at its edge and opens the next one.
  void close(const Counters& now);

  // Closes the open window at end_ns, which may lie in a window closed before. Windows that
  // begin at or after end_ns are not kept; their counts go to the last one that is. When that
  // leaves no window for the counts, one of width 0 holds them. Once; afterwards only read.
  void finish(const Counters& now, int64_t end_ns);

  const std::vector<Window>& windows() const { return windows_; }

 private:
  int64_t start_ns_;
  int64_t width_ns_;
  int64_t open_start_ns_ = 0;  // from start_ns_, like Window::start_ns
  Counters before_;            // at the start of the open window
  std::vector<Window> windows_;
};

// Adds the counts, connections among them, not the times.
void add_counts(Window& to, const Window& from);

}  // namespace carronade::stats
