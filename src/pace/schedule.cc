// HOT. Nothing here allocates.
#include "pace/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/random.h"

namespace carronade::pace {

namespace {

// Arrivals draw from a sequence of their own ("arrivals" in ASCII). A server or anything else that
// draws by the same seed would otherwise have service times that copy the gaps.
constexpr uint64_t kStream = 0x6172726976616c73;

// The positions that exist lie below this. Arrivals at whole positions must not depend on how
// Λ(end) was rounded: 97/s over 10 s has no arrival at x = 970.
double position_limit(const RateProfile& profile, int64_t end_ns) {
  const double total = profile.count_until(end_ns);
  return total - rounding_slack(total);
}

double exponential(uint64_t seed, uint64_t k) {
  return -std::log(base::positive_unit_from(base::mix(seed, k)));
}

}  // namespace

Schedule::Schedule(const RateProfile& profile, const RateSpec& spec, Part part, int64_t end_ns,
                   std::optional<uint64_t> amount)
    : profile_(profile),
      arrivals_(spec.arrivals),
      burst_(std::max<uint32_t>(spec.burst, 1)),
      seed_(base::mix(spec.seed, kStream)),
      parts_(part.parts),
      end_ns_(std::min(end_ns, profile.end_ns())),
      amount_(amount.value_or(std::numeric_limits<uint64_t>::max())),
      limit_(position_limit(profile, end_ns_)),
      k_(part.index) {
  CHECK(part.index < part.parts);
  find_next();
}

void Schedule::pop() {
  DCHECK(next_ns_ != kOver);
  k_ += parts_;
  find_next();
}

void Schedule::find_next() {
  const double x = k_ < amount_ ? position(k_) : limit_;
  if (!(x < limit_)) {
    next_ns_ = kOver;
    return;
  }
  // The end was decided by the position; a time that rounds to it is a rounding, not an end.
  const int64_t due_ns = std::min(profile_.time_of(x, piece_), end_ns_ - 1);
  next_ns_ = std::max(next_ns_, due_ns);
}

double Schedule::position(uint64_t k) {
  switch (arrivals_) {
    case Arrivals::kEven:
      break;
    case Arrivals::kPoisson:
      // Each part sums up the gaps of all, in the same order, so that all agree to the last bit.
      for (; exponentials_ <= k; ++exponentials_) {
        poisson_position_ += exponential(seed_, exponentials_);
      }
      return poisson_position_;
    case Arrivals::kJitter:
      return static_cast<double>(k) + base::unit_from(base::mix(seed_, k));
    case Arrivals::kBurst:
      return static_cast<double>(k - k % burst_);
  }
  return static_cast<double>(k);
}

double expected_arrivals(const RateProfile& profile, const RateSpec& spec, int64_t end_ns,
                         std::optional<uint64_t> amount) {
  const double limit = std::max(position_limit(profile, std::min(end_ns, profile.end_ns())), 0.0);
  double count = profile.count_until(end_ns);
  if (spec.arrivals == Arrivals::kEven) count = std::ceil(limit);
  if (spec.arrivals == Arrivals::kBurst) {
    const double burst = std::max<uint32_t>(spec.burst, 1);
    count = std::ceil(limit / burst) * burst;
  }
  return amount ? std::min(count, static_cast<double>(*amount)) : count;
}

}  // namespace carronade::pace
