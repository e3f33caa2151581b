// HOT. Which connection gets the next request of an open loop.
#include "load/dispatcher.h"

#include <algorithm>

namespace carronade::load {

std::optional<uint32_t> Dispatcher::next_free() {
  OpenLoop& open = *worker_.open_loop;
  if (worker_.wants.targets) put_fitting_first(open.idle);
  while (!open.idle.empty()) {
    Connection& c = worker_.connections[open.idle.pop_front()];
    c.listed_idle = false;
    if (has_room(c) && c.inflight.empty()) return slot_of(c);
    offer(c);
  }
  while (!open.roomy.empty()) {
    Connection& c = worker_.connections[open.roomy.pop_front()];
    c.listed_roomy = false;
    if (has_room(c)) return slot_of(c);
  }
  return std::nullopt;
}

// Puts first a connection that is where the next request will go, if one of the first few is.
void Dispatcher::put_fitting_first(Ring<uint32_t>& idle) {
  constexpr size_t kLookedAt = 64;
  const uint32_t wanted = worker_.source->upcoming_target();
  if (wanted == RequestSource::kAnyTarget) return;
  for (size_t left = std::min(idle.size(), kLookedAt); left > 0; --left) {
    const uint32_t slot = idle.pop_front();
    if (worker_.connections[slot].target == wanted) return idle.push_front(slot);
    idle.push_back(slot);
  }
}

}  // namespace carronade::load
