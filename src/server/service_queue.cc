#include "server/service_queue.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace carronade::server {
namespace {

// Longer than threads can differ in what time they think it is.
constexpr int64_t kMemoryNs = 1'000'000'000;

int64_t add(int64_t a, int64_t b) { return std::min(std::min(a, kFarNs) + b, kFarNs); }

}  // namespace

ServiceQueue::ServiceQueue(int servers) : endless_(servers == 0) {
  for (int i = 0; i < servers; ++i) free_at_.push(0);
}

int64_t ServiceQueue::depart_ns(int64_t arrival_ns, int64_t service_ns) {
  service_ns = std::min(service_ns, kFarNs);
  if (endless_) return add(arrival_ns, service_ns);
  const int64_t departure = add(std::max(arrival_ns, free_at_.top()), service_ns);
  free_at_.pop();
  free_at_.push(departure);
  return departure;
}

// Rounded up: at most that rate.
DepartureGate::DepartureGate(double per_second)
    : gap_ns_(per_second == 0 ? 0 : static_cast<int64_t>(std::ceil(1e9 / per_second))) {}

int64_t DepartureGate::depart_ns(int64_t ready_ns, int64_t now_ns) {
  if (gap_ns_ == 0) return ready_ns;
  forget(now_ns - kMemoryNs - gap_ns_);
  return insert(std::min(ready_ns, kFarNs));
}

void DepartureGate::forget(int64_t before_ns) {
  while (!runs_.empty() && runs_.begin()->second < before_ns) runs_.erase(runs_.begin());
}

int64_t DepartureGate::insert(int64_t when_ns) {
  // The run that `when_ns` is too close to, if any, is the last that begins before when + gap.
  auto next = runs_.lower_bound(when_ns + gap_ns_);
  auto run = next == runs_.begin() ? runs_.end() : std::prev(next);
  if (run != runs_.end() && when_ns < run->second + gap_ns_) {
    when_ns = run->second + gap_ns_;
    next = std::next(run);
  }
  if (run != runs_.end() && when_ns < run->second + 2 * gap_ns_) {
    run->second = when_ns;
  } else {
    run = runs_.emplace_hint(next, when_ns, when_ns);
  }
  if (next != runs_.end() && next->first < run->second + 2 * gap_ns_) {
    run->second = next->second;
    runs_.erase(next);
  }
  return when_ns;
}

}  // namespace carronade::server
