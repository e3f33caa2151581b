#include <benchmark/benchmark.h>

#include "stats/interval_histograms.h"
#include "stats/schedule_recorder.h"

namespace carronade::stats {
namespace {

// What an open loop records of one request beyond what a closed one does.
void one_request(benchmark::State& state) {
  ScheduleRecorder recorder({});
  recorder.start(0, INT64_MAX);
  int64_t due_ns = 0;
  for (auto _ : state) {
    due_ns += 10'000;
    const int64_t sent_ns = due_ns + 900 + due_ns % 128;
    recorder.advance(due_ns);
    recorder.planned(due_ns);
    recorder.sent(due_ns, due_ns + 500, sent_ns, false);
    recorder.answered(200, due_ns, sent_ns, sent_ns + 80'000 + due_ns % 4096);
  }
}
BENCHMARK(one_request);

// A value, and the end of an interval every 1,000.
void one_value(benchmark::State& state) {
  IntervalHistograms series(0);
  int64_t now_ns = 0;
  for (auto _ : state) {
    now_ns += IntervalHistograms::kNarrowNs / 1000;
    while (series.edge_ns() <= now_ns) series.close();
    series.record(80'000 + now_ns % 4096);
  }
}
BENCHMARK(one_value);

}  // namespace
}  // namespace carronade::stats
