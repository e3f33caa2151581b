// HOT. Counts and times of a RateSegment of Shape::kSine, from its own start. Pure arithmetic: no
// clock, no I/O.
#pragma once

#include <cstdint>

#include "carronade/rate_spec.h"

namespace carronade::pace {

// The expected number of arrivals in [0, time_ns); time_ns ≥ 0.
double sine_count(const RateSegment& segment, int64_t time_ns);

// When so many are expected, in ns; count ≥ 0. Not for a segment without load.
double sine_time_ns(const RateSegment& segment, double count);

}  // namespace carronade::pace
