// HOT. How many requests a connection may take on now, under the pipelining depth, the
// requests per socket, the quota of the slot and the budget of the worker.
#pragma once

#include <algorithm>
#include <cstdint>

#include "load/worker_state.h"

namespace carronade::load {

class Dispatcher {
 public:
  explicit Dispatcher(WorkerState& worker) : worker_(worker) {}

  // Takes requests for the connection from the budget; they count as queued. `at_most` bounds
  // them further (a connection that is still to be made takes just one).
  uint32_t take(Connection& c, uint32_t at_most = UINT32_MAX) {
    const uint32_t outstanding = c.inflight.total() + c.queued;
    if (outstanding >= worker_.run.pipelining) return 0;
    uint64_t want = std::min(worker_.run.pipelining - outstanding, at_most);
    if (const uint64_t limit = worker_.target_of(c).prepared->requests_per_socket; limit > 0) {
      want = std::min(want, c.assigned_here >= limit ? 0 : limit - c.assigned_here);
    }
    if (worker_.run.max_connection_requests) {
      want = std::min(want, *worker_.run.max_connection_requests - c.quota_used);
    }
    const uint32_t taken = worker_.budget.take(static_cast<uint32_t>(want));
    c.queued += taken;
    c.quota_used += taken;
    c.assigned_here += taken;
    return taken;
  }

 private:
  WorkerState& worker_;
};

}  // namespace carronade::load
