#include "carronade/run_result.h"

#include <numeric>

namespace carronade {

uint64_t RunResult::error_total() const {
  return std::accumulate(errors.begin(), errors.end(), uint64_t{0},
                         [](uint64_t sum, const ErrorCount& row) { return sum + row.count; });
}

uint64_t RunResult::timeout_total() const {
  uint64_t total = 0;
  for (const ErrorCount& row : errors) {
    const bool timeout = row.kind == ErrorKind::kTimeout || row.kind == ErrorKind::kConnectTimeout;
    if (timeout) total += row.count;
  }
  return total;
}

uint64_t RunResult::non_2xx() const {
  const uint64_t all = std::accumulate(by_status.begin(), by_status.end(), uint64_t{0});
  return all - status_class(2) - (websocket ? by_status[0] : 0);
}

uint64_t RunResult::status_class(int hundreds) const {
  if (hundreds < 0 || hundreds > 9) return 0;
  const auto first = by_status.begin() + hundreds * 100;
  return std::accumulate(first, first + 100, uint64_t{0});
}

}  // namespace carronade
