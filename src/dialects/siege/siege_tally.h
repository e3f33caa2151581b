// What siege counts of its transactions. One for each worker; added up at the end.
#pragma once

#include <algorithm>
#include <cstdint>

namespace carronade::dialects::siege {

struct SiegeTally {
  uint64_t hits = 0;        // answers that are no failure
  uint64_t successful = 0;  // of these
  uint64_t failed = 0;      // no answer, or one that is a failure
  uint64_t answers = 0;     // those whose times are below
  int64_t sum_ns = 0;       // of the times of all answers, connecting included
  int64_t longest_ns = 0;
  int64_t shortest_ns = INT64_MAX;  // INT64_MAX: no answers
  uint64_t bytes = 0;               // of bodies, as they came

  void answer(int64_t time_ns, uint64_t body_bytes) {
    ++answers;
    sum_ns += time_ns;
    longest_ns = std::max(longest_ns, time_ns);
    shortest_ns = std::min(shortest_ns, time_ns);
    bytes += body_bytes;
  }
  void merge(const SiegeTally& other) {
    hits += other.hits;
    successful += other.successful;
    failed += other.failed;
    answers += other.answers;
    sum_ns += other.sum_ns;
    longest_ns = std::max(longest_ns, other.longest_ns);
    shortest_ns = std::min(shortest_ns, other.shortest_ns);
    bytes += other.bytes;
  }
};

}  // namespace carronade::dialects::siege
