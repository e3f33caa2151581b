// When requests depart, as arithmetic on given times: no clock, no I/O. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <vector>

namespace carronade::server {

// Times are capped here, so that sums of them cannot overflow.
inline constexpr int64_t kFarNs = INT64_MAX / 4;

// One first-in-first-out queue before equal servers.
class ServiceQueue {
 public:
  // `servers`: 0 gives each request a server of its own at once.
  explicit ServiceQueue(int servers);

  // Call in the order of arrival. With one server: max(arrival, previous departure) + service.
  int64_t depart_ns(int64_t arrival_ns, int64_t service_ns);

 private:
  bool endless_;
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> free_at_;  // of each server
};

// Lets departures through at least 1/rate apart, each at the first moment that is free.
class DepartureGate {
 public:
  // `per_second`: 0 holds nothing back.
  explicit DepartureGate(double per_second);

  // `ready_ns` need not rise from call to call: an earlier one takes a gap that was left.
  // What lies more than a second before `now_ns` is forgotten.
  int64_t depart_ns(int64_t ready_ns, int64_t now_ns);

 private:
  int64_t insert(int64_t when_ns);
  void forget(int64_t before_ns);

  int64_t gap_ns_;
  // Departures that leave no room between them, as first → last. Between two of these runs there
  // is room for one more at least.
  std::map<int64_t, int64_t> runs_;
};

}  // namespace carronade::server
