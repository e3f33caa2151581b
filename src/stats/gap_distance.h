// How far the gaps between the requests sent are from those planned. Pure.
#pragma once

#include <cstdint>

#include "carronade/histogram.h"

namespace carronade::stats {

// The Kolmogorov–Smirnov distance of two samples, where a planned gap and one that differs from
// it by at most `tolerance_ns` count as the same (a Lévy distance with that allowance): the
// clock of even arrivals is one point, and no program hits it exactly. `critical` is the value
// that 1 % of runs exceed when only chance is at work; 0 samples: distance 0.
struct GapDistance {
  double distance = 0;
  double critical = 1;
  bool failed() const { return distance > critical; }
};
GapDistance gap_distance(const Histogram& planned, const Histogram& sent, int64_t tolerance_ns);

}  // namespace carronade::stats
