// The line that a person sees while a run goes on: facts in, one line out. The writer at the
// end redraws it on a terminal.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "carronade/observer.h"

namespace carronade::report {

// What the bar fills up to: the nearer of the two; no bar when neither is known.
struct ProgressGoal {
  std::string label = "running";
  std::optional<int64_t> duration_ns;
  std::optional<uint64_t> amount;  // requests answered or failed
};

// Done share of the goal in 0 … 1; nothing when the goal has no end to show.
std::optional<double> progress_share(const Progress& progress, const ProgressGoal& goal);

// `running [=====               ] 25% 2.5 s, 12,345 requests, 4,938/s, 0 errors`, at most
// `columns` wide: the bar goes first when room is short, then the line is cut. No newline.
std::string progress_line(const Progress& progress, const ProgressGoal& goal, double rate,
                          int columns, bool colour);

// Answers per second over the last second (over the whole run while it is younger).
class RateMeter {
 public:
  double add(int64_t elapsed_ns, uint64_t answered);

 private:
  struct Point {
    int64_t elapsed_ns;
    uint64_t answered;
  };
  std::deque<Point> points_{{0, 0}};
};

// Redraws the line in place, at most ten times a second by the run's own clock. Not
// thread-safe. `write` gets bytes for the terminal, `columns` tells its width at the moment.
class ProgressWriter {
 public:
  using Write = std::function<void(std::string_view)>;
  using Columns = std::function<int()>;
  ProgressWriter(Write write, Columns columns, ProgressGoal goal, bool colour);

  void update(const Progress& progress);
  // Takes the line away, so that other text can follow; the next update draws it again.
  void clear();

 private:
  Write write_;
  Columns columns_;
  ProgressGoal goal_;
  bool colour_;
  RateMeter meter_;
  int64_t last_tenth_ = -1;
  bool drawn_ = false;
};

// Columns of the terminal behind a descriptor; 80 when it does not tell.
int terminal_columns(int fd);

}  // namespace carronade::report
