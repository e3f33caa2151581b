#include "run/validate_load_shape.h"

#include <algorithm>
#include <string>

#include "base/limits.h"
#include "pace/rate_profile.h"
#include "pace/schedule.h"

namespace carronade::run {
namespace {

using base::kLongestNs;

// Each has histograms of its own. One more than a person may ask for: the rest of the run.
constexpr size_t kMostStages = 101;
// Their times are looked for before the run.
constexpr uint64_t kMostPoisson = 20'000'000;

tl::unexpected<Error> fault(const char* text) { return unexpected(std::string(text)); }

Expected<void> check_segment(const RateSegment& s, bool last) {
  const auto in_range = [](double rate) { return rate >= 0 && rate <= base::kMostPerSecond; };
  if (!in_range(s.from) || !in_range(s.to))
    return fault("a rate must be from 0 to 10,000,000 a second");
  const bool endless = s.duration_ns == RateSegment::kEndless;
  if (endless && !last) return fault("only the last part of a rate may be without an end");
  if (!endless && (s.duration_ns <= 0 || s.duration_ns > kLongestNs)) {
    return fault("a stage must last longer than 0 and at most 100 years");
  }
  const bool sine = s.shape == RateSegment::Shape::kSine;
  if (sine && (s.period_ns <= 0 || s.period_ns > kLongestNs)) {
    return fault("the period of a sine must be greater than 0");
  }
  if (endless && !sine && s.from != s.to) return fault("a ramp needs a time to end at");
  return {};
}

Expected<void> check_stages(const std::vector<RateStage>& stages) {
  if (stages.empty()) return fault("a rate needs at least one stage");
  if (stages.size() > kMostStages) return fault("there can not be more than 100 stages");
  int64_t total_ns = 0;
  for (const RateStage& stage : stages) {
    if (stage.segments.empty()) return fault("a stage needs at least one segment");
    for (const RateSegment& segment : stage.segments) {
      const bool last = &stage == &stages.back() && &segment == &stage.segments.back();
      if (auto good = check_segment(segment, last); !good) return good;
      if (segment.duration_ns == RateSegment::kEndless) continue;
      total_ns += segment.duration_ns;
      if (total_ns > kLongestNs) return fault("the stages together last more than 100 years");
    }
  }
  return {};
}

Expected<void> check_rate(const RunSpec& spec) {
  const RateSpec& rate = *spec.rate;
  if (auto good = check_stages(rate.stages); !good) return good;
  if (spec.max_connection_requests) {
    return fault("a rate and a maximum of requests per connection do not go together");
  }
  if (rate.burst < 1 || rate.burst > base::kMostBurst) {
    return fault("a burst has from 1 to 1,000,000 requests");
  }
  if (rate.max_backlog < 1) return fault("the backlog must have room for at least 1 request");
  if (rate.max_connections > base::kMostConnections) {
    return fault("connections can not be more than 1,000,000");
  }
  if (rate.max_connections != 0 && rate.max_connections < spec.connections) {
    return fault("the maximum of connections can not be less than the connections at the start");
  }
  const RateSegment& last = rate.stages.back().segments.back();
  if (last.duration_ns == RateSegment::kEndless && !spec.duration_ns) {
    if (!spec.amount) return fault("a rate needs an end: give a duration or an amount");
    if (last.from == 0 && last.to == 0) {
      return fault("the amount may never be reached: the last rate is 0 and has no end");
    }
  }
  const pace::RateProfile profile(rate.stages);
  const int64_t end_ns = std::min(profile.end_ns(), spec.duration_ns.value_or(INT64_MAX));
  const auto amount = static_cast<double>(spec.amount.value_or(0));
  if (spec.amount && std::min(end_ns, profile.time_of(amount)) > kLongestNs) {
    return fault("the amount takes more than 100 years at this rate");
  }
  if (spec.amount.value_or(0) > kMostPoisson && rate.arrivals == Arrivals::kPoisson) {
    return fault("an amount above 20,000,000 needs other arrivals than poisson, or a duration");
  }
  if (pace::expected_arrivals(profile, rate, end_ns, spec.amount) <= 0) {
    return fault("the schedule has no request: its rate is 0");
  }
  return {};
}

Expected<void> check_levels(const RunSpec& spec) {
  uint32_t most = 0;
  int64_t total_ns = 0;
  for (const ConnectionStage& stage : spec.connection_stages) {
    if (stage.duration_ns <= 0 || stage.duration_ns > kLongestNs - total_ns) {
      return fault("a stage must last longer than 0 and all together at most 100 years");
    }
    total_ns += stage.duration_ns;
    most = std::max({most, stage.from, stage.to});
  }
  if (spec.max_connection_requests) {
    return fault(
        "stages of connections and a maximum of requests per connection do not go together");
  }
  if (most == 0) return fault("the stages never have a connection");
  if (most != spec.connections) {
    return fault("connections must be the largest number of the connection stages");
  }
  return {};
}

}  // namespace

Expected<void> validate_load_shape(const RunSpec& spec) {
  if (spec.rate && !spec.connection_stages.empty()) {
    return fault("a rate and stages of connections do not go together");
  }
  if (spec.rate) return check_rate(spec);
  if (!spec.connection_stages.empty()) return check_levels(spec);
  return {};
}

}  // namespace carronade::run
