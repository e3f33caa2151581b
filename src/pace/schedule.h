// HOT. When requests are due: a pure function of (profile, arrivals, seed, k). No clock, no I/O.
// Part `index` of `parts` has the arrivals k with k mod parts = index, so the parts together are
// the plan of one. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "carronade/rate_spec.h"
#include "pace/rate_profile.h"

namespace carronade::pace {

class Schedule {
 public:
  static constexpr int64_t kOver = INT64_MAX;
  struct Part {
    uint32_t index = 0;
    uint32_t parts = 1;
  };
  // `profile` must outlive the schedule. Arrivals due at or after `end_ns` (from the start of the
  // schedule) do not exist, nor do those from the amount-th on (a total over all parts).
  Schedule(const RateProfile& profile, const RateSpec& spec, Part part, int64_t end_ns,
           std::optional<uint64_t> amount);

  // When the next arrival of this part is due, from the start of the schedule; kOver when there
  // is none. Never decreases.
  int64_t next_ns() const { return next_ns_; }
  // Goes on to the arrival after it. Not when over.
  void pop();

 private:
  void find_next();
  double position(uint64_t k);  // x of arrival k; k never decreases

  const RateProfile& profile_;
  Arrivals arrivals_;
  uint32_t burst_;
  uint64_t seed_;
  uint32_t parts_;
  int64_t end_ns_;
  uint64_t amount_;
  double limit_;                 // arrivals whose x is not below it do not exist
  uint64_t k_;                   // of the next arrival
  uint64_t exponentials_ = 0;    // Poisson: how many are summed up
  double poisson_position_ = 0;  // their sum
  size_t piece_ = 0;             // of the profile, where the next arrival lies
  int64_t next_ns_ = 0;
};

// How many arrivals the schedule has in all: exact for even and burst arrivals, the expected
// number for the others.
double expected_arrivals(const RateProfile& profile, const RateSpec& spec, int64_t end_ns,
                         std::optional<uint64_t> amount);

}  // namespace carronade::pace
