// Slots that rest for a while or for good: paused by their source, parked by the level of a closed
// loop, destroyed by the user.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "load/fleet.h"

namespace carronade::load {

void Fleet::end_pauses(int64_t now_ns) {
  std::vector<std::pair<int64_t, uint32_t>>& pauses = worker_.pauses;
  while (!pauses.empty() && pauses.front().first <= now_ns) {
    std::pop_heap(pauses.begin(), pauses.end(), std::greater<>());
    const uint32_t index = pauses.back().second;
    pauses.pop_back();
    const Connection& c = slot(index);
    // Without a socket it waits as those do that could not connect.
    if (c.state == ConnectionState::kOpen && c.scripted->pausing()) {
      run_io(index, &ConnectionIo::refill);
    }
  }
}

// Those that are being made or wait to be are looked at when that comes to its end.
void Fleet::end_destroyed() {
  for (const uint32_t index : worker_.destroyed) {
    if (slot(index).state == ConnectionState::kOpen) settle(index, After::kReopen);
  }
  worker_.destroyed.clear();
}

void Fleet::set_active(uint32_t active) {
  const auto before = static_cast<uint32_t>(worker_.first_parked - worker_.connections.data());
  worker_.first_parked = worker_.connections.data() + active;
  for (uint32_t index = before; index < std::min(active, next_unstarted_); ++index) unpark(index);
  wanted_ = std::max(wanted_, active);
  start_more();
}

// Its connection is open and idle, or was closed meanwhile.
void Fleet::unpark(uint32_t index) {
  Connection& c = slot(index);
  if (c.state == ConnectionState::kOpen) {
    run_io(index, &ConnectionIo::refill);
  } else if (c.state == ConnectionState::kDone && wants_socket(c)) {
    --done_;
    make(index);
  }
}

}  // namespace carronade::load
