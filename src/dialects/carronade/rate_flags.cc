#include <utility>

#include "base/units.h"
#include "cli/flag_setters.h"
#include "cli/load_shape_text.h"
#include "dialects/carronade/flag_parts.h"

namespace carronade::dialects {
namespace {

using cli::ArgKind;
using cli::FlagSetter;
using cli::FlagTable;
using cli::FlagValue;

// One of the flags that say how much load there is; `fill` reads the text.
template <class Fill>
FlagSetter set_load(Options& o, std::string flag, Fill fill) {
  return [&o, flag = std::move(flag), fill](const FlagValue& value) -> Expected<void> {
    LoadOption load;
    load.flag = flag;
    load.text = value.text;
    if (Expected<void> done = fill(value.text, load); !done) return done;
    std::erase_if(o.loads, [&flag](const LoadOption& other) { return other.flag == flag; });
    o.loads.push_back(std::move(load));
    return {};
  };
}

FlagSetter set_rate(Options& o, std::string flag) {
  return set_load(o, std::move(flag),
                  [](const std::string& text, LoadOption& load) -> Expected<void> {
                    const Expected<double> rate = base::parse_rate(text);
                    if (!rate) return unexpected(rate.error());
                    load.rate = *rate;
                    return {};
                  });
}

// `parse` gives the stages of a rate that changes.
template <class Parse>
FlagSetter set_stages(Options& o, std::string flag, Parse parse) {
  return set_load(o, std::move(flag),
                  [parse](const std::string& text, LoadOption& load) -> Expected<void> {
                    auto stages = parse(text);
                    if (!stages) return unexpected(stages.error());
                    load.stages = std::move(*stages);
                    return {};
                  });
}

FlagSetter set_connection_stages(Options& o, std::string flag) {
  return set_load(o, std::move(flag),
                  [](const std::string& text, LoadOption& load) -> Expected<void> {
                    auto stages = cli::parse_stages_connections(text);
                    if (!stages) return unexpected(stages.error());
                    load.connection_stages = std::move(*stages);
                    return {};
                  });
}

FlagSetter set_arrivals(Options& o) {
  return [&o](const FlagValue& value) -> Expected<void> {
    const auto parsed = cli::parse_arrivals(value.text);
    if (!parsed) return unexpected(parsed.error());
    o.arrivals = parsed->arrivals;
    o.burst = parsed->burst;
    return {};
  };
}

}  // namespace

// How much load, instead of as much as the connections take.
cli::FlagTable rate_flags(Options& o) {
  return {
      {.name = "rate",
       .aliases = {"overallRate"},
       .letter = 'R',
       .kind = ArgKind::kValue,
       .hint = "RATE",
       .section = "Rate",
       .doc = "requests per second in total, sent by a schedule: 200, 1.5k, 0.5/s, 30/m",
       .more = "An open loop: requests are due by the schedule, whatever the server does, and "
               "latency counts from the time due. The rate is a total over all connections and "
               "workers.",
       .compat = "different: spread evenly instead of sent in a burst at each second, whether "
                 "answers come or not; latency counts from the time due. Fractions and units "
                 "work; the strict form refuses less than 1 and lowers -c to a smaller rate, as "
                 "autocannon does",
       .set = set_rate(o, "--rate")},
      {.name = "connectionRate",
       .letter = 'r',
       .kind = ArgKind::kValue,
       .hint = "RATE",
       .section = "Rate",
       .doc = "the same for each connection: the total is RATE times the connections",
       .more = "Which connection sends a request is not bound to this: it is the next free one.",
       .compat = "different: as --rate, and the total is spread over the connections as they are "
                 "free; the strict form ignores -R beside it, as autocannon does",
       .set = set_rate(o, "--connectionRate")},
      {.name = "ramp",
       .kind = ArgKind::kValue,
       .hint = "A..B/T",
       .section = "Rate",
       .doc = "a rate that goes evenly from A to B in the time T: 10..500/30s",
       .more = "The run lasts T; with a longer -d the last rate is held until then.",
       .compat = "new",
       .set = set_stages(o, "--ramp", cli::parse_ramp)},
      {.name = "stages",
       .kind = ArgKind::kValue,
       .hint = "LIST",
       .section = "Rate",
       .doc = "stages of a rate, one after the other: \"10s:100, 30s:100..1000, 1m:1000\"",
       .more = "Each stage has its own line in the report. The run lasts their sum; -d ends it "
               "sooner, and a longer -d holds the last rate.",
       .compat = "new",
       .set = set_stages(o, "--stages", cli::parse_stages)},
      {.name = "step",
       .kind = ArgKind::kValue,
       .hint = "A..B:STEP/T",
       .section = "Rate",
       .doc = "a rate that steps from A to B, the time T for each: 100..500:100/10s",
       .more = "Each step is a stage. The run lasts their sum; -d ends it sooner, and a longer -d "
               "holds the last rate.",
       .compat = "new",
       .set = set_stages(o, "--step", cli::parse_step)},
      {.name = "sine",
       .kind = ArgKind::kValue,
       .hint = "A..B/PERIOD",
       .section = "Rate",
       .doc = "a rate that swings between A and B, from A on: 100..300/20s",
       .compat = "new",
       .set = set_stages(o, "--sine", cli::parse_sine)},
      {.name = "rate-file",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Rate",
       .doc = "a rate that follows a file of lines TIME,RATE; - is standard input",
       .more = "Linear between the lines; two lines of the same time make a step. The first rate "
               "holds until the first time. The run lasts until the last time; -d ends it sooner, "
               "and a longer -d "
               "holds the last rate.",
       .compat = "new",
       .set = set_stages(o, "--rate-file", cli::read_rate_file)},
      {.name = "stages-connections",
       .kind = ArgKind::kValue,
       .hint = "LIST",
       .section = "Rate",
       .doc = "a closed loop on a changing number of connections: \"10s:10..200, 30s:200\"",
       .more = "Instead of -c. The run lasts the sum of the stages; -d ends it sooner, and a "
               "longer -d holds the last number.",
       .compat = "new",
       .set = set_connection_stages(o, "--stages-connections")},
      {.name = "arrivals",
       .kind = ArgKind::kValue,
       .hint = "KIND",
       .section = "Rate",
       .doc = "how requests are placed under the rate: even, poisson, jitter, burst:N",
       .more = "Even: at equal distances. Poisson: as independent users come, the gaps "
               "exponential. Jitter: one at a random instant of each distance. Burst: N at once.",
       .default_text = "even",
       .compat = "new",
       .set = set_arrivals(o)},
      {.name = "seed",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Rate",
       .doc = "of random arrivals and placeholders: the same seed gives the same run",
       .default_text = "1",
       .compat = "new",
       .set = cli::set_count(o.seed)},
      {.name = "max-connections",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Rate",
       .doc = "open further connections while all are busy, up to N in total",
       .default_text = "no more than -c",
       .compat = "new",
       .set = cli::set_count(o.max_connections)},
      {.name = "overflow",
       .kind = ArgKind::kValue,
       .hint = "POLICY",
       .section = "Rate",
       .doc = "a request that is due while no connection is free: queue it, or drop it",
       .more = "What waits in the queue counts its waiting as latency; what is dropped is counted "
               "as such and never sent.",
       .default_text = "queue",
       .compat = "new",
       .set = cli::set_choice<Overflow>(o.overflow,
                                        {{"queue", Overflow::kQueue}, {"drop", Overflow::kDrop}})},
      {.name = "max-backlog",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Rate",
       .doc = "requests that may wait for a connection at most; more are dropped",
       .default_text = "1M",
       .compat = "new",
       .set = cli::set_count(o.max_backlog)},
      {.name = "pace",
       .kind = ArgKind::kValue,
       .hint = "MODE",
       .section = "Rate",
       .doc = "how to wait for a due time: hybrid, spin (most exact, takes a core), sleep",
       .more = "Hybrid sleeps until shortly before, by as much as this machine wakes sleepers "
               "late, and then polls: as long as it takes where there are more cores than workers "
               "(-w), "
               "and letting others have the core first; elsewhere for a sixth of the time.",
       .default_text = "hybrid",
       .compat = "new",
       .set = cli::set_choice<PaceMode>(o.pace, {{"hybrid", PaceMode::kHybrid},
                                                 {"spin", PaceMode::kSpin},
                                                 {"sleep", PaceMode::kSleep}})},
      {.name = "ignoreCoordinatedOmission",
       .letter = 'C',
       .section = "Rate",
       .doc = "latency is the service time: it counts from the sending, not from the time due",
       .compat = "same: and without it no sample is made up, see \"Rates\" below",
       .set = cli::set_switch(o.ignore_coordinated_omission)},
      {.name = "uncorrected",
       .letter = 'U',
       .section = "Rate",
       .doc = "all percentiles (-l) of response time and service time side by side",
       .more = "The two are what wrk2 calls corrected and uncorrected.",
       .compat = "new: as in wrk2",
       .set = cli::set_switch(o.uncorrected)},
  };
}

}  // namespace carronade::dialects
