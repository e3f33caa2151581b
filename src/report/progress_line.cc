#include "report/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/units.h"
#include "report/table.h"

namespace carronade::report {
namespace {

constexpr int kBarWidth = 20;
constexpr int64_t kTenthNs = 100'000'000;
constexpr int64_t kRateSpanNs = 1'000'000'000;

std::string bar(double share) {
  const auto filled = static_cast<size_t>(share * kBarWidth);
  const auto empty = static_cast<size_t>(kBarWidth) - filled;
  return fmt::format(" [{}{}] {:.0f}%", std::string(filled, '='), std::string(empty, ' '),
                     std::floor(share * 100));
}

std::string figures(const Progress& progress, double rate) {
  return fmt::format(" {:.1f} s, {} requests, {}/s, {} error{}",
                     static_cast<double>(progress.elapsed_ns) / 1e9,
                     base::format_thousands(progress.answered),
                     base::format_thousands(static_cast<uint64_t>(std::llround(rate))),
                     base::format_thousands(progress.errors), progress.errors == 1 ? "" : "s");
}

}  // namespace

std::optional<double> progress_share(const Progress& progress, const ProgressGoal& goal) {
  std::optional<double> share;
  if (goal.duration_ns && *goal.duration_ns > 0) {
    share = static_cast<double>(progress.elapsed_ns) / static_cast<double>(*goal.duration_ns);
  }
  if (goal.amount && *goal.amount > 0) {
    const auto done = static_cast<double>(progress.answered + progress.errors);
    share = std::max(share.value_or(0), done / static_cast<double>(*goal.amount));
  }
  if (share) share = std::clamp(*share, 0.0, 1.0);
  return share;
}

std::string progress_line(const Progress& progress, const ProgressGoal& goal, double rate,
                          int columns, bool colour) {
  const std::optional<double> share = progress_share(progress, goal);
  std::string text = share ? bar(*share) : std::string();
  text += figures(progress, rate);
  const int label_width = display_width(goal.label);
  if (label_width + display_width(text) > columns) text = figures(progress, rate);
  if (label_width >= columns) return std::string(clip_to_width(goal.label, columns));
  std::string line = colour ? fmt::format("\x1b[32m{}\x1b[0m", goal.label) : goal.label;
  line += clip_to_width(text, columns - label_width);
  return line;
}

double RateMeter::add(int64_t elapsed_ns, uint64_t answered) {
  points_.push_back({elapsed_ns, answered});
  while (points_.size() > 2 && elapsed_ns - points_[1].elapsed_ns >= kRateSpanNs) {
    points_.pop_front();
  }
  const Point& from = points_.front();
  if (elapsed_ns <= from.elapsed_ns || answered < from.answered) return 0;
  return static_cast<double>(answered - from.answered) * 1e9 /
         static_cast<double>(elapsed_ns - from.elapsed_ns);
}

ProgressWriter::ProgressWriter(Write write, Columns columns, ProgressGoal goal, bool colour)
    : write_(std::move(write)),
      columns_(std::move(columns)),
      goal_(std::move(goal)),
      colour_(colour) {}

void ProgressWriter::update(const Progress& progress) {
  // By the tenth, not by the gap: calls that come every 100 ms with a little jitter all draw.
  const int64_t tenth = progress.elapsed_ns / kTenthNs;
  if (tenth == last_tenth_) return;
  last_tenth_ = tenth;
  const double rate = meter_.add(progress.elapsed_ns, progress.answered);
  // The last column stays free: some terminals wrap as soon as it is filled.
  const int columns = std::max(columns_() - 1, 1);
  write_("\r" + progress_line(progress, goal_, rate, columns, colour_) + "\x1b[K");
  drawn_ = true;
}

void ProgressWriter::clear() {
  if (drawn_) write_("\r\x1b[K");
  drawn_ = false;
}

int terminal_columns(int fd) {
  winsize size{};
  const bool known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace carronade::report
