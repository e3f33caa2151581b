#include "dialects/vegeta/vegeta_spans.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialects/vegeta/vegeta_go_duration.h"
#include "dialects/vegeta/vegeta_text.h"

namespace carronade::dialects::vegeta {

void FileSpans::add(size_t file, int64_t timestamp_unix_ns) {
  if (file >= spans_.size()) spans_.resize(file + 1);
  Span& span = spans_[file];
  if (!span.any) span = {timestamp_unix_ns, timestamp_unix_ns, true};
  span.first_ns = std::min(span.first_ns, timestamp_unix_ns);
  span.last_ns = std::max(span.last_ns, timestamp_unix_ns);
}

std::string FileSpans::gap_note(uint64_t requests) const {
  std::vector<Span> order;
  for (const Span& span : spans_) {
    if (span.any) order.push_back(span);
  }
  if (order.size() < 2) return "";
  std::sort(order.begin(), order.end(),
            [](const Span& a, const Span& b) { return a.first_ns < b.first_ns; });
  int64_t active_ns = 0;  // cannot be more than all of the time
  int64_t end_ns = order.front().first_ns;
  for (const Span& span : order) {
    const int64_t begin_ns = std::max(span.first_ns, end_ns);
    active_ns += std::max<int64_t>(saturated_difference(span.last_ns, begin_ns), 0);
    end_ns = std::max(end_ns, span.last_ns);
  }
  const int64_t pause_ns = saturated_difference(end_ns, order.front().first_ns) - active_ns;
  if (active_ns <= 0 || pause_ns < active_ns / 100) return "";
  return fmt::format(
      "note: the files' attacks went on for {}, with {} between them in which nothing was sent: "
      "{:.2f} requests/s while they went on",
      rounded_go_duration(active_ns), rounded_go_duration(pause_ns),
      static_cast<double>(requests) / (static_cast<double>(active_ns) / 1e9));
}

}  // namespace carronade::dialects::vegeta
