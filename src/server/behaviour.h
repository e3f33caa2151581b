// HOT. What the server's options make of one request: its status and when its answer is due.
// Drawn statuses follow from the seed, the worker and the order of its requests alone.
#pragma once

#include <cstdint>
#include <random>

#include "server/routes.h"
#include "server/server_spec.h"
#include "server/service_station.h"

namespace carronade::server {

// Says for each request whether it is one of the `percent` chosen ones. In every block of 100
// requests the share is exact (a fraction of a request is carried to the next block), while the
// order within the block is random.
class ErrorShare {
 public:
  ErrorShare(double percent, uint64_t seed) : percent_(percent), random_(seed) {}
  bool next();

 private:
  static constexpr uint32_t kBlock = 100;
  double percent_;
  std::mt19937_64 random_;
  uint64_t blocks_ = 0;
  uint32_t requests_left_ = 0;  // of this block
  uint32_t chosen_left_ = 0;
};

class Behaviour {
 public:
  // `station`: the same for all workers; null when the options make no answer wait.
  Behaviour(const ServerSpec& spec, int worker, ServiceStation* station);

  // Whether the answers to equal requests of this route are equal and due at once, so that the
  // first one can be kept and sent again.
  bool repeatable(const Route& route) const;

  // The status of the next answer. Draws, so call it once per request.
  int next_status(const Route& route);
  // Whether an answer of this route may have to wait: then ask due_ns().
  bool may_wait(const Route& route) const;
  // When the answer to a request that was complete at `arrival_ns` may leave; not before
  // `not_before_ns`, when the one ahead of it on the connection is due. Call once per request:
  // the station draws.
  int64_t due_ns(const Route& route, int64_t arrival_ns, int64_t not_before_ns);

 private:
  const ServerSpec& spec_;
  ServiceStation* station_;
  bool draws_errors_;
  ErrorShare errors_;
};

}  // namespace carronade::server
