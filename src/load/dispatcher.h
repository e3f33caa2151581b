// HOT. How many requests a connection may take on now. Closed loop: under the pipelining depth,
// the requests per socket, the quota of the slot and the budget of the worker. Open loop: one of
// those that are due; a connection with room for which none is due goes to the list of free ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "load/worker_state.h"

namespace carronade::load {

class Dispatcher {
 public:
  explicit Dispatcher(WorkerState& worker) : worker_(worker) {}

  // Takes requests for the connection from the budget; they count as queued. `at_most` bounds
  // them further (a connection that is still to be made takes just one).
  uint32_t take(Connection& c, uint32_t at_most = UINT32_MAX) {
    if (worker_.open_loop) return take_due(c);
    if (&c >= worker_.first_parked) return 0;
    if (c.scripted != nullptr && c.scripted->takes_no_more()) return 0;
    const uint32_t outstanding = c.inflight.total() + c.queued;
    if (outstanding >= worker_.run.pipelining) return 0;
    uint64_t want = std::min(worker_.run.pipelining - outstanding, at_most);
    if (const uint64_t limit = worker_.target_of(c).prepared->requests_per_socket; limit > 0) {
      want = std::min(want, c.assigned_here >= limit ? 0 : limit - c.assigned_here);
    }
    if (worker_.run.max_connection_requests) {
      want = std::min(want, *worker_.run.max_connection_requests - c.quota_used);
    }
    if (c.scripted != nullptr && (want == 0 || !may_ask(c))) return 0;
    uint32_t taken;
    if (worker_.source_over) {
      taken = std::min(static_cast<uint32_t>(want), worker_.kept(c));
    } else {
      taken = worker_.budget.take(static_cast<uint32_t>(want));
      if (c.scripted != nullptr) taken = worker_.fetch(c, taken);
    }
    c.queued += taken;
    c.quota_used += taken;
    c.assigned_here += taken;
    return taken;
  }

  // Open loop: whether the connection could send one more request now.
  bool has_room(const Connection& c) const {
    const uint64_t limit = worker_.targets[c.target].prepared->requests_per_socket;
    return c.state == ConnectionState::kOpen && !c.hung_up && c.queued == 0 && c.out_pending == 0 &&
           c.inflight.total() < worker_.run.pipelining && (limit == 0 || c.assigned_here < limit) &&
           (c.scripted == nullptr || !c.scripted->takes_no_more());
  }
  // Puts it into a list of free ones, when it has room.
  void offer(Connection& c) {
    if (!has_room(c)) return;
    const bool idle = c.inflight.empty();
    bool& listed = idle ? c.listed_idle : c.listed_roomy;
    if (listed) return;
    listed = true;
    OpenLoop& open = *worker_.open_loop;
    (idle ? open.idle : open.roomy).push_back(slot_of(c));
  }
  // The slot for the next request that is due: the one idle for longest, else one with room.
  std::optional<uint32_t> next_free();
  // Whether an open connection without a request may get one later.
  bool keeps_idle(const Connection& c) const {
    if (c.scripted != nullptr && c.scripted->takes_no_more()) return false;
    if (c.scripted != nullptr && c.scripted->pausing()) return true;
    if (!worker_.open_loop) return &c >= worker_.first_parked;
    const uint64_t limit = worker_.targets[c.target].prepared->requests_per_socket;
    return limit == 0 || c.assigned_here < limit;
  }

 private:
  void put_fitting_first(Ring<uint32_t>& idle);
  // Whether the source may be asked for a request of the connection now.
  bool may_ask(Connection& c) {
    if (c.scripted->over) return worker_.kept(c) > 0;
    if (worker_.wants.batches && !c.inflight.empty()) return false;
    return !worker_.wants.pauses || !worker_.pauses_before_next(c);
  }
  uint32_t slot_of(const Connection& c) const {
    return static_cast<uint32_t>(&c - worker_.connections.data());
  }
  uint32_t take_due(Connection& c) {
    OpenLoop& open = *worker_.open_loop;
    if (!has_room(c)) return 0;
    if (!open.has_waiting()) {
      offer(c);
      return 0;
    }
    if (c.scripted != nullptr && worker_.fetch(c, 1) == 0) return 0;
    c.arrival = open.take();
    c.arrival_waited = open.waited(c.arrival);
    c.queued = 1;
    ++c.assigned_here;
    return 1;
  }

  WorkerState& worker_;
};

}  // namespace carronade::load
