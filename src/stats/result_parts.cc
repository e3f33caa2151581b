#include "stats/result_parts.h"

#include <algorithm>

#include "stats/window_series.h"

namespace carronade::stats {

namespace {

void add_window(Window& into, const Window& window) {
  if (window.answered > 0) {
    const bool both = into.answered > 0;
    into.p50_ns = both ? -1 : window.p50_ns;
    into.p99_ns = both ? -1 : window.p99_ns;
  }
  into.width_ns = std::max(into.width_ns, window.width_ns);
  add_counts(into, window);
}

}  // namespace

void add_windows(std::vector<Window>& into, const std::vector<Window>& windows, int64_t shift_ns) {
  std::vector<Window> all;
  all.reserve(std::max(into.size(), windows.size()));
  auto here = into.begin();
  for (Window window : windows) {
    window.start_ns += shift_ns;
    while (here != into.end() && here->start_ns < window.start_ns) all.push_back(*here++);
    if (here != into.end() && here->start_ns == window.start_ns) add_window(window, *here++);
    all.push_back(window);
  }
  all.insert(all.end(), here, into.end());
  into = std::move(all);
}

void add_stages(std::vector<StageResult>& into, const std::vector<StageResult>& stages) {
  into.resize(std::max(into.size(), stages.size()));
  for (size_t i = 0; i < stages.size(); ++i) add_counters(into[i], stages[i]);
}

void ErrorRows::add(const std::vector<ErrorCount>& errors) {
  for (const ErrorCount& row : errors) {
    const auto [known, fresh] = places_.try_emplace({row.kind, row.phase, row.text}, rows_.size());
    if (fresh) {
      rows_.push_back(row);
    } else {
      add_counters(rows_[known->second], row);
    }
  }
}

std::vector<ErrorCount> ErrorRows::most_frequent_first() && {
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const ErrorCount& a, const ErrorCount& b) { return a.count > b.count; });
  return std::move(rows_);
}

}  // namespace carronade::stats
