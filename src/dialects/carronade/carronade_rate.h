// The options under the heading "Rate": how much load there is to be, and for how long.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "carronade/run_spec.h"
#include "dialects/carronade/carronade_flags.h"
#include "dialects/carronade/carronade_request.h"
#include "dialects/carronade/spec_error.h"

namespace carronade::dialects {

// The one that counts; nullptr for as much load as the connections take. In the strict form -r
// takes precedence over -R, as in autocannon. At most one, after check_rate.
const LoadOption* chosen_load(const Options& o, Form form);

// autocannon's rules about -r and -R come amid those about other numbers.
SpecResult check_strict_rate(const Options& o, Form form);
// All other rules, once connections and limits are known to be good.
SpecResult check_rate(const Options& o, Form form);

// How long a shape of load lasts by itself; nothing for what has no end of its own.
std::optional<int64_t> load_length_ns(const LoadOption& load);

// What the load of a run is made of. `connections` is that of -c.
struct LoadPlan {
  uint32_t connections = 0;
  std::optional<RateSpec> rate;
  std::vector<ConnectionStage> connection_stages;
  std::string text;  // "200/s", "--ramp 10..500/30s"; "" for a closed loop
};
// `duration_ns` is the length of the run where it is longer than the load's own.
LoadPlan plan_load(const Options& o, Form form, uint32_t connections,
                   std::optional<int64_t> duration_ns);

// "even", "poisson, seed 1", "bursts of 5".
std::string arrivals_text(const RateSpec& rate);

}  // namespace carronade::dialects
