// HOT.
#include "server/behaviour.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace carronade::server {

bool ErrorShare::next() {
  if (requests_left_ == 0) {
    const auto total = [this](uint64_t blocks) {
      return static_cast<uint64_t>(std::floor(percent_ * static_cast<double>(blocks) + 1e-9));
    };
    chosen_left_ = static_cast<uint32_t>(total(blocks_ + 1) - total(blocks_));
    requests_left_ = kBlock;
    ++blocks_;
  }
  // Sequential sampling: each request is chosen with the odds that are left.
  const bool chosen = random_() % requests_left_ < chosen_left_;
  --requests_left_;
  if (chosen) --chosen_left_;
  return chosen;
}

Behaviour::Behaviour(const ServerSpec& spec, int worker, ServiceStation* station)
    : spec_(spec),
      station_(station),
      draws_errors_(spec.error_status != 0 && spec.error_percent > 0),
      errors_(spec.error_percent, base::mix(spec.seed, static_cast<uint64_t>(worker))) {}

bool Behaviour::repeatable(const Route& route) const {
  return route.kind == Route::Kind::kPage && !may_wait(route) &&
         (route.status != 0 || !draws_errors_);
}

int Behaviour::next_status(const Route& route) {
  if (route.kind == Route::Kind::kBad) return 400;
  if (route.status != 0) return route.status;
  return draws_errors_ && errors_.next() ? spec_.error_status : 200;
}

bool Behaviour::may_wait(const Route& route) const {
  return route.delay_ns > 0 || (station_ != nullptr && station_->delays());
}

int64_t Behaviour::due_ns(const Route& route, int64_t arrival_ns, int64_t not_before_ns) {
  if (station_ != nullptr) return station_->admit(arrival_ns, route.delay_ns, not_before_ns);
  const int64_t due_ns = arrival_ns + std::min(route.delay_ns, kFarNs);
  return std::max(due_ns, not_before_ns);
}

}  // namespace carronade::server
