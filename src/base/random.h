// HOT. Seeded random numbers by position: number k of seed s is a pure function of both, so that
// any thread or machine can draw any part of a sequence and gets the same numbers. Not for secrets.
//
// SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
// 2014, with the constants of Vigna's published version (prng.di.unimi.it, 2015).
#pragma once

#include <cstdint>

namespace carronade::base {

// Number k = 0, 1, … of the SplitMix64 sequence that begins with `seed`: 64 even bits.
constexpr uint64_t mix(uint64_t seed, uint64_t k) {
  uint64_t z = seed + (k + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Even in [0, 1), in steps of 2^-53.
constexpr double unit_from(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

// Even in (0, 1], in steps of 2^-53: a logarithm may be taken.
constexpr double positive_unit_from(uint64_t bits) {
  return static_cast<double>((bits >> 11) + 1) * 0x1p-53;
}

}  // namespace carronade::base
