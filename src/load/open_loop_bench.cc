#include <benchmark/benchmark.h>

#include "load/open_loop.h"
#include "load/ring.h"

namespace carronade::load {
namespace {

LoadPlan make_run() {
  LoadPlan run;
  RateSpec spec;
  spec.stages.push_back({"constant", {{.from = 100'000, .to = 100'000}}});
  pace::RateProfile profile(spec.stages);
  run.rate.emplace(RatePlan{spec, profile, {0}, INT64_MAX, std::nullopt});
  return run;
}

// One request that is due: from the schedule into the line (a Ring) and out of it, beside a free
// connection that is taken and comes back.
void one_arrival(benchmark::State& state) {
  const LoadPlan run = make_run();
  const WorkerPlan plan{.run = &run, .connections = 1, .amount = {}};
  OpenLoop open(plan);
  stats::Recorder totals({.start_ns = 0});
  open.start(0);
  for (uint32_t slot = 0; slot < 50; ++slot) open.idle.push_back(slot);
  int64_t now_ns = 0;
  for (auto _ : state) {
    now_ns += 10'000;
    open.collect(now_ns, totals);
    while (open.has_waiting()) {
      benchmark::DoNotOptimize(open.take());
      open.idle.push_back(open.idle.pop_front());
    }
  }
}
BENCHMARK(one_arrival);

}  // namespace
}  // namespace carronade::load
