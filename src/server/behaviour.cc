// HOT.
#include "server/behaviour.h"

#include <cmath>

namespace carronade::server {
namespace {

// Distinct, well spread seeds for the workers of one server (SplitMix64's finaliser).
uint64_t mix(uint64_t seed, uint64_t worker) {
  uint64_t x = seed + (worker + 1) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

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

int64_t after_stall(const StallSpec& stall, int64_t start_ns, int64_t when_ns) {
  const int64_t since_start = when_ns - start_ns;
  if (stall.duration_ns == 0 || since_start < stall.period_ns) return when_ns;
  const int64_t into_period = since_start % stall.period_ns;
  return into_period < stall.duration_ns ? when_ns + stall.duration_ns - into_period : when_ns;
}

Behaviour::Behaviour(const ServerSpec& spec, int worker, int64_t start_ns)
    : spec_(spec),
      start_ns_(start_ns),
      draws_errors_(spec.error_status != 0 && spec.error_percent > 0),
      errors_(spec.error_percent, mix(spec.seed, static_cast<uint64_t>(worker))) {}

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
  const int64_t delay = route.delay_ns >= 0 ? route.delay_ns : spec_.delay_ns;
  return delay > 0 || spec_.stall.duration_ns > 0;
}

int64_t Behaviour::due_ns(const Route& route, int64_t now_ns) const {
  const int64_t delay = route.delay_ns >= 0 ? route.delay_ns : spec_.delay_ns;
  const int64_t ready = delay > INT64_MAX - now_ns ? INT64_MAX : now_ns + delay;
  return after_stall(spec_.stall, start_ns_, ready);
}

}  // namespace carronade::server
