// Load by a schedule: when requests are due, whatever the server does (an open loop), and how
// the number of busy connections changes over a closed loop. Passive structs; validation happens
// in Run::create. Rates are requests per second, totals over all workers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace carronade {

// A piece of the rate function r(t), t from its own start.
struct RateSegment {
  enum class Shape : uint8_t {
    kLinear,  // from `from` to `to`; equal for a constant rate
    kSine,    // from + (to - from) · (1 - cos(2πt / period)) / 2: begins at `from`, peaks at `to`
  };
  static constexpr int64_t kEndless = INT64_MAX;  // until the run ends; the last segment only

  Shape shape = Shape::kLinear;
  double from = 0;  // 0 … 1e7
  double to = 0;    // 0 … 1e7; the same as `from` when duration_ns is kEndless, unless a sine
  int64_t duration_ns = kEndless;  // > 0
  int64_t period_ns = 0;           // of the sine, > 0
};

// Consecutive segments that the report gives one line and figures of their own.
struct RateStage {
  std::string name;  // as in "1m at 1000/s"
  std::vector<RateSegment> segments;
};

// How arrivals are placed under the rate function. With Λ(t) = ∫ r, arrival k = 0, 1, … is due
// at Λ⁻¹(x): evenly x = k; jittered x = k + U(0, 1); Poisson x = the sum of k + 1 exponentials of
// mean 1; bursts of n x = n · ⌊k / n⌋. Which is drawn follows from the seed and k alone.
enum class Arrivals : uint8_t { kEven, kPoisson, kJitter, kBurst };

// What happens to a request that is due while no connection is free and no further one may be
// opened: it waits and its waiting counts, or it is never sent and counted as dropped.
enum class Overflow : uint8_t { kQueue, kDrop };

// How the generator waits for a due time: hybrid sleeps until shortly before, by as much as this
// machine wakes sleepers late, and then polls, for a bounded share of the time where there are no
// cores to spare; spin always polls; sleep never does.
enum class PaceMode : uint8_t { kHybrid, kSpin, kSleep };

struct RateSpec {
  std::vector<RateStage> stages;  // at least one, each with at least one segment
  Arrivals arrivals = Arrivals::kEven;
  uint32_t burst = 1;  // of Arrivals::kBurst, 1 … 1,000,000
  uint64_t seed = 1;
  Overflow overflow = Overflow::kQueue;
  // Connections opened on demand beyond RunSpec::connections, up to this many in total; 0: none.
  uint32_t max_connections = 0;
  // Requests that may wait for a connection, in total ≥ 1, but one for each worker; those beyond
  // are dropped.
  uint64_t max_backlog = 1'000'000;
  PaceMode pace = PaceMode::kHybrid;
  // How long answers are awaited behind the schedule's end, ≥ 0; unset: the timeout.
  std::optional<int64_t> drain_ns{};
  // No connection is made before a request is due for which none is free; one that cannot be made
  // loses that request (it counts as dropped), instead of letting it wait for another attempt.
  bool connect_on_demand = false;
};

// A closed loop over a changing number of connections, linear from `from` to `to`.
struct ConnectionStage {
  uint32_t from = 0;  // 0 … 1,000,000
  uint32_t to = 0;
  int64_t duration_ns = 0;  // > 0
};

}  // namespace carronade
