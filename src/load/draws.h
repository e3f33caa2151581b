// HOT. Whole numbers drawn evenly from a range, in a sequence that follows from the seed.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace carronade::load {

class Draws {
 public:
  explicit Draws(uint64_t seed) : seed_(seed) {}

  // Even in 0 … bound − 1; bound 0 stands for 2^64. Lemire, "Fast random integer generation in an
  // interval", ACM TOMACS 2019: the few numbers that would favour some results are drawn again.
  uint64_t below(uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    if (bound == 0) return base::mix(seed_, k_++);
    for (;;) {
      const Wide product = Wide{base::mix(seed_, k_++)} * bound;
      const auto low = static_cast<uint64_t>(product);
      if (low >= bound || low >= (0 - bound) % bound) return static_cast<uint64_t>(product >> 64);
    }
  }

 private:
  uint64_t seed_;
  uint64_t k_ = 0;
};

}  // namespace carronade::load
