#include "dialects/carronade/carronade_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/limits.h"
#include "base/units.h"
#include "cli/load_shape_text.h"

namespace carronade::dialects {
namespace {

constexpr int64_t kDefaultConnections = 10;

bool is_closed_loop(const LoadOption& load) { return !load.connection_stages.empty(); }
// --rate and --connectionRate
bool is_constant(const LoadOption& load) { return load.stages.empty() && !is_closed_loop(load); }

const LoadOption* find_load(const Options& o, std::string_view flag) {
  const auto at = std::find_if(o.loads.begin(), o.loads.end(),
                               [flag](const LoadOption& load) { return load.flag == flag; });
  return at == o.loads.end() ? nullptr : &*at;
}

// The first option that says something about a rate where there is none.
const char* idle_option(const Options& o) {
  if (o.uncorrected) return "--uncorrected";
  if (o.arrivals) return "--arrivals";
  if (o.seed && !o.templates && o.data_file.empty()) return "--seed";
  if (o.max_connections) return "--max-connections";
  if (o.overflow) return "--overflow";
  if (o.max_backlog) return "--max-backlog";
  if (o.pace) return "--pace";
  return nullptr;
}

// Whether it is the same load from the beginning to the end.
bool is_steady(const LoadOption& load) {
  if (is_constant(load)) return true;
  if (is_closed_loop(load)) {
    const uint32_t level = load.connection_stages.front().from;
    return std::all_of(
        load.connection_stages.begin(), load.connection_stages.end(),
        [level](const ConnectionStage& stage) { return stage.from == level && stage.to == level; });
  }
  const double rate = load.stages.front().segments.front().from;
  for (const RateStage& stage : load.stages) {
    for (const RateSegment& segment : stage.segments) {
      if (segment.from != rate || segment.to != rate) return false;
    }
  }
  return true;
}

SpecResult check_choice(const Options& o, Form form) {
  const bool autocannons = form == Form::kStrict && o.loads.size() == 2 &&
                           find_load(o, "--rate") != nullptr &&
                           find_load(o, "--connectionRate") != nullptr;
  if (o.loads.size() <= 1 || autocannons) return {};
  return fault(fmt::format("{} and {} both say how much load there is to be: give one of them",
                           o.loads[0].flag, o.loads[1].flag));
}

SpecResult check_open_loop(const Options& o, const LoadOption& load) {
  const int64_t connections = o.connections.value_or(kDefaultConnections);
  if (is_constant(load) && load.rate <= 0) return fault("the rate must be greater than 0");
  const double total =
      load.flag == "--connectionRate" ? load.rate * static_cast<double>(connections) : load.rate;
  if (total > base::kMostPerSecond) return fault("the rate can not be more than 10,000,000/s");
  if (o.max_connection_requests) {
    return fault(
        "maxConnectionRequests does not go with a rate, whose requests leave on any connection "
        "that is free: use --amount");
  }
  if (o.max_connections && *o.max_connections < connections) {
    return fault(fmt::format("max-connections can not be less than the {} of --connections",
                             base::format_thousands(static_cast<uint64_t>(connections))));
  }
  if (o.max_connections && *o.max_connections > int64_t{base::kMostConnections}) {
    return fault("max-connections can not be more than 1,000,000");
  }
  if (o.max_backlog && *o.max_backlog < 1) return fault("max-backlog can not be less than 1");
  return {};
}

SpecResult check_closed_loop(const Options& o) {
  // autocannon's words; the first two are its own options.
  if (o.ignore_coordinated_omission) {
    return refusal(
        "ignoreCoordinatedOmission makes no sense without connectionRate or overallRate");
  }
  if (const char* idle = idle_option(o)) {
    return fault(fmt::format("{} has no effect without a rate: add --rate N", idle));
  }
  return {};
}

RateStage constant_stage(double rate) {
  RateSegment segment;
  segment.from = segment.to = rate;
  return {cli::rate_text(rate), {segment}};
}

double last_rate(const RateStage& stage) { return stage.segments.back().to; }

RateSpec rate_spec(const Options& o, std::vector<RateStage> stages) {
  RateSpec rate;
  rate.stages = std::move(stages);
  rate.arrivals = o.arrivals.value_or(rate.arrivals);
  rate.burst = o.burst;
  if (o.seed) rate.seed = static_cast<uint64_t>(*o.seed);
  rate.overflow = o.overflow.value_or(rate.overflow);
  if (o.max_connections) rate.max_connections = static_cast<uint32_t>(*o.max_connections);
  if (o.max_backlog) rate.max_backlog = static_cast<uint64_t>(*o.max_backlog);
  rate.pace = o.pace.value_or(rate.pace);
  return rate;
}

}  // namespace

const LoadOption* chosen_load(const Options& o, Form form) {
  if (form == Form::kStrict) {
    if (const LoadOption* load = find_load(o, "--connectionRate")) return load;
  }
  return o.loads.empty() ? nullptr : &o.loads.front();
}

SpecResult check_strict_rate(const Options& o, Form form) {
  if (form != Form::kStrict) return {};
  const LoadOption* each = find_load(o, "--connectionRate");
  if (each != nullptr && each->rate < 1) return refusal("connectionRate can not be less than 1");
  const LoadOption* total = find_load(o, "--rate");
  if (total != nullptr && total->rate < 1) {
    return refusal("bailout overallRate can not be less than 1");  // its words
  }
  return {};
}

SpecResult check_rate(const Options& o, Form form) {
  if (SpecResult done = check_choice(o, form); !done) return done;
  const LoadOption* load = chosen_load(o, form);
  if (load != nullptr && o.find_warmup && !is_steady(*load)) {
    return fault("--warmup auto needs a steady load, and that of " + load->flag +
                 " changes by itself");
  }
  if (load != nullptr && !is_closed_loop(*load)) return check_open_loop(o, *load);
  if (load != nullptr && o.connections) {
    return fault("--stages-connections says how many connections there are: leave -c out");
  }
  return check_closed_loop(o);
}

std::optional<int64_t> load_length_ns(const LoadOption& load) {
  int64_t length_ns = 0;
  const auto add = [&length_ns](int64_t more_ns) {
    if (more_ns > RateSegment::kEndless - length_ns) return false;
    length_ns += more_ns;
    return length_ns != RateSegment::kEndless;
  };
  for (const ConnectionStage& stage : load.connection_stages) {
    if (!add(stage.duration_ns)) return std::nullopt;
  }
  for (const RateStage& stage : load.stages) {
    for (const RateSegment& segment : stage.segments) {
      if (!add(segment.duration_ns)) return std::nullopt;
    }
  }
  if (length_ns == 0) return std::nullopt;
  return length_ns;
}

LoadPlan plan_load(const Options& o, Form form, uint32_t connections,
                   std::optional<int64_t> duration_ns) {
  LoadPlan plan;
  plan.connections = connections;
  const LoadOption* load = chosen_load(o, form);
  if (load == nullptr) return plan;
  if (is_closed_loop(*load)) {
    plan.connection_stages = load->connection_stages;
    plan.connections = 1;
    for (const ConnectionStage& stage : load->connection_stages) {
      plan.connections = std::max({plan.connections, stage.from, stage.to});
    }
    return plan;
  }
  if (is_constant(*load)) {
    const bool each = load->flag == "--connectionRate";
    const double total = each ? load->rate * connections : load->rate;
    plan.text = cli::rate_text(total);
    if (each) {
      plan.text += fmt::format(" ({} on each of {} connection{})", cli::rate_text(load->rate),
                               base::format_thousands(connections), connections == 1 ? "" : "s");
    } else if (form == Form::kStrict && total < connections) {
      plan.connections = static_cast<uint32_t>(total);
    }
    plan.rate = rate_spec(o, {constant_stage(total)});
    return plan;
  }
  plan.text = load->flag + " " + load->text;
  std::vector<RateStage> stages = load->stages;
  const std::optional<int64_t> length_ns = load_length_ns(*load);
  if (length_ns && duration_ns && *duration_ns > *length_ns) {
    RateStage rest = constant_stage(last_rate(stages.back()));
    rest.name = fmt::format("{} at {}", base::format_span(*duration_ns - *length_ns), rest.name);
    stages.push_back(std::move(rest));
  }
  plan.rate = rate_spec(o, std::move(stages));
  return plan;
}

std::string arrivals_text(const RateSpec& rate) {
  switch (rate.arrivals) {
    case Arrivals::kEven:
      return "even";
    case Arrivals::kPoisson:
      return fmt::format("poisson, seed {}", rate.seed);
    case Arrivals::kJitter:
      return fmt::format("jitter, seed {}", rate.seed);
    case Arrivals::kBurst:
      return fmt::format("bursts of {}", base::format_thousands(rate.burst));
  }
  return "";
}

}  // namespace carronade::dialects
