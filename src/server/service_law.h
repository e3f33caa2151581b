// How long a request is served: laws whose quantiles are known, so that what a generator reports
// can be held against the truth. A time follows from (law, seed, k) alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade::server {

struct ServiceLaw {
  enum class Kind : uint8_t { kFixed, kExponential, kLognormal, kBimodal };
  static constexpr int64_t kTimeNsMax = 3'600'000'000'000;  // no time given or drawn is longer
  static constexpr double kSigmaMax = 4;

  Kind kind = Kind::kFixed;
  // The time itself, the mean, the median, or the first of the two modes; 0 only when fixed.
  int64_t time_ns = 0;
  double sigma = 0;      // lognormal: of the time's natural logarithm, 0 … kSigmaMax
  double percent = 100;  // bimodal: of the first mode, 0 … 100
  int64_t other_ns = 0;  // bimodal: the second mode

  bool is_drawn() const { return kind != Kind::kFixed; }
};

// "fixed 2ms", "exp 1ms", "lognormal 1ms 0.5" (median and sigma), "bimodal 95% 1ms, 5% 50ms"; a
// bare time is in ms. The error quotes the text.
Expected<ServiceLaw> parse_service(std::string_view text);

// The same words again, in one spelling.
std::string service_text(const ServiceLaw& law);

// The k-th time, 0 … kTimeNsMax. Independent of what a generator draws with the same seed.
int64_t service_ns(const ServiceLaw& law, uint64_t seed, uint64_t k);

}  // namespace carronade::server
