#include "stats/schedule_recorder.h"

#include <gtest/gtest.h>

#include "stats/histogram_codec.h"
#include "stats/recorder.h"

namespace carronade::stats {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1000 * kMs;
constexpr int64_t kStart = 5 * kSecond + 3;

RunResult merged(const std::vector<const ScheduleRecorder*>& recorders,
                 const std::vector<std::string>& names = {"all"}) {
  RunResult result;
  merge_schedules(recorders, names, result);
  return result;
}

TEST(ScheduleRecorder, SplitsLatenessIntoOursAndTheServers) {
  ScheduleRecorder recorder({});
  recorder.start(kStart, kSecond);
  for (int i = 0; i < 3; ++i) recorder.planned(kStart + i * 10 * kMs);
  // On time but for 20 µs of ours; then seen 1 ms late and sent 30 ms later; one never sent.
  recorder.sent(kStart, kStart, kStart + 20'000, false);
  recorder.sent(kStart + 10 * kMs, kStart + 11 * kMs, kStart + 41 * kMs, true);
  recorder.finish(kStart + kSecond);
  const RunResult result = merged({&recorder});
  ASSERT_TRUE(result.rate);
  EXPECT_EQ(result.rate->planned, 3u);
  EXPECT_EQ(result.rate->unsent, 1u);
  EXPECT_EQ(result.rate->generator_late.count(), 2u);
  EXPECT_EQ(result.rate->generator_late.min(), 20'000);
  EXPECT_EQ(result.rate->generator_late.max(), kMs);
  EXPECT_EQ(result.rate->no_connection.min(), 0);
  EXPECT_EQ(result.rate->no_connection.max(), 30 * kMs);
  // A gap is one between two requests that did not wait.
  EXPECT_EQ(result.rate->sent_gaps.count(), 0u);
}

TEST(ScheduleRecorder, GapsAreThoseOfNeighboursThatDidNotWait) {
  ScheduleRecorder recorder({});
  recorder.start(kStart, kSecond);
  for (int i = 0; i < 4; ++i) {
    recorder.planned(kStart + i * kMs);
    recorder.sent(kStart + i * kMs, kStart + i * kMs, kStart + i * kMs + i, false);
  }
  recorder.finish(kStart + kSecond);
  const RunResult result = merged({&recorder});
  EXPECT_EQ(result.rate->planned_gaps.count(), 3u);
  EXPECT_EQ(result.rate->planned_gaps.max(), kMs);
  EXPECT_EQ(result.rate->sent_gaps.min(), kMs + 1);
}

TEST(ScheduleRecorder, CountsWhatWasSentBeforeTheScheduleWasOver) {
  ScheduleRecorder recorder({});
  recorder.start(kStart, 10 * kMs);
  for (int i = 0; i < 3; ++i) recorder.planned(kStart + i * kMs);
  recorder.sent(kStart, kStart, kStart + 9 * kMs, false);
  recorder.sent(kStart, kStart, kStart + 10 * kMs, true);
  recorder.refused();
  recorder.finish(kStart + 30 * kMs);
  const RunResult result = merged({&recorder});
  EXPECT_EQ(result.rate->sent_in_time, 1u);
  EXPECT_EQ(result.rate->refused, 1u);
  EXPECT_EQ(result.rate->unsent, 0u);
  EXPECT_EQ(result.rate->load_ns, 10 * kMs);
}

TEST(ScheduleRecorder, ThePlanOfASecondGoesByTheDueTime) {
  ScheduleRecorder recorder({});
  recorder.start(kStart, 3 * kSecond);
  recorder.advance(kStart + 2 * kSecond);  // the worker came to it late
  for (int i = 0; i < 30; ++i) recorder.planned(kStart + i * 100 * kMs);
  recorder.finish(kStart + 3 * kSecond);
  RunResult result;
  result.series.resize(2);
  merge_schedules({&recorder}, {"all"}, result);
  EXPECT_EQ(result.series[0].planned, 10u);
  EXPECT_EQ(result.series[1].planned, 20u);
}

TEST(ScheduleRecorder, ARunThatEndsEarlyHadLessLoad) {
  ScheduleRecorder recorder({});
  recorder.start(kStart, kSecond);
  recorder.finish(kStart + 300 * kMs);
  EXPECT_EQ(merged({&recorder}).rate->load_ns, 300 * kMs);
}

TEST(ScheduleRecorder, ARunThatNeverStartedHadNoLoad) {
  ScheduleRecorder recorder({.stage_starts_ns = {0, kSecond}});
  // The clock of a machine that has been up for a thousand years: no interval for each second.
  const int64_t now_ns = int64_t{3} << 60;
  recorder.advance(now_ns / 2);
  recorder.finish(now_ns / 2);
  const RunResult result = merged({&recorder}, {"a", "b"});
  EXPECT_EQ(result.rate->load_ns, 0);
  EXPECT_EQ(result.rate->planned, 0u);
  EXPECT_EQ(result.rate->stages[0].width_ns, 0);
}

TEST(ScheduleRecorder, AStageHasTheRequestsThatWereDueInIt) {
  const ScheduleRecorder::Options options{.stage_starts_ns = {0, 100 * kMs, 200 * kMs}};
  ScheduleRecorder one(options);
  ScheduleRecorder two(options);
  for (ScheduleRecorder* recorder : {&one, &two}) {
    recorder->start(kStart, 250 * kMs);
    for (int i = 0; i < 25; ++i) recorder->planned(kStart + i * 10 * kMs);
    // Sent and answered in the order 2, 0, 1: stages do not come in order at the end.
    for (const int due : {205, 5, 150}) {
      const int64_t due_ns = kStart + due * kMs;
      recorder->sent(due_ns, due_ns, due_ns + kMs, false);
      recorder->answered(200, due_ns, due_ns + kMs, due_ns + 3 * kMs);
    }
    recorder->lost(kStart + 150 * kMs);
    recorder->finish(kStart + 300 * kMs);
  }
  const RunResult result = merged({&one, &two}, {"a", "b", "c"});
  ASSERT_EQ(result.rate->stages.size(), 3u);
  const StageResult& b = result.rate->stages[1];
  EXPECT_EQ(b.name, "b");
  EXPECT_EQ(b.start_ns, 100 * kMs);
  EXPECT_EQ(b.width_ns, 100 * kMs);
  EXPECT_EQ(b.planned, 20u);
  EXPECT_EQ(b.sent, 2u);
  EXPECT_EQ(b.answered, 2u);
  EXPECT_EQ(b.failed, 2u);
  EXPECT_EQ(b.dropped, 18u);
  EXPECT_EQ(b.latency.count(), 2u);
  EXPECT_EQ(b.latency.max(), 3 * kMs);
  EXPECT_EQ(b.service_time.max(), 2 * kMs);
  EXPECT_EQ(result.rate->stages[2].width_ns, 50 * kMs);
  EXPECT_EQ(result.rate->stages[2].planned, 10u);
}

TEST(IntervalHistograms, EveryValueIsInOneIntervalAndInTheTotal) {
  IntervalHistograms series(kStart);
  Histogram all;
  int64_t now = kStart;
  for (int i = 0; i < 500; ++i) {
    while (series.edge_ns() <= now) series.close();
    series.record(i);
    all.record(i);
    now += 7 * kMs;
  }
  series.finish(now);
  EXPECT_EQ(series.encoded().size(), 35u);
  Histogram sum;
  for (const std::string& interval : series.encoded()) ASSERT_TRUE(decode_histogram(interval, sum));
  EXPECT_EQ(sum.count(), all.count());
  EXPECT_EQ(series.total().count(), all.count());
  EXPECT_EQ(sum.sum(), all.sum());
}

TEST(IntervalHistograms, ValuesBehindTheEndFollowTheLastIntervalBeforeIt) {
  IntervalHistograms series(kStart);
  series.record(1);
  for (int i = 0; i < 5; ++i) series.close();
  series.record(2);
  series.finish(kStart + 150 * kMs);
  ASSERT_EQ(series.encoded().size(), 2u);
  Histogram last;
  ASSERT_TRUE(decode_histogram(series.encoded()[1], last));
  EXPECT_EQ(last.count(), 1u);
  EXPECT_EQ(last.max(), 2);
}

TEST(IntervalHistograms, IntervalsGetWiderAfterTenMinutes) {
  using H = IntervalHistograms;
  EXPECT_EQ(H::begin_of(H::kNarrowIntervals), 600 * kSecond);
  EXPECT_EQ(H::begin_of(H::kNarrowIntervals + 2), 602 * kSecond);
}

TEST(Recorder, IntervalsOfSeveralWorkersAreAdded) {
  Recorder one({.start_ns = kStart});
  Recorder two({.start_ns = kStart});
  for (Recorder* recorder : {&one, &two}) {
    for (int i = 0; i < 30; ++i) {
      recorder->advance(kStart + i * 50 * kMs);
      recorder->sent(1);
      recorder->answered(200, i + 1, 1, 1, 1);
    }
    recorder->finish(kStart + 1500 * kMs);
  }
  const RunResult result = merge({&one, &two}, kStart, kStart + 1500 * kMs);
  ASSERT_EQ(result.intervals.size(), 15u);
  uint64_t count = 0;
  int64_t end = 0;
  for (const Interval& interval : result.intervals) {
    EXPECT_EQ(interval.start_ns, end);
    end = interval.start_ns + interval.width_ns;
    Histogram values;
    ASSERT_TRUE(decode_histogram(interval.latency, values));
    EXPECT_EQ(values.count(), 4u);
    count += values.count();
  }
  EXPECT_EQ(end, result.elapsed_ns);
  EXPECT_EQ(count, result.latency.count());
  ASSERT_EQ(result.series.size(), 2u);
  EXPECT_EQ(result.series[1].p99_ns, 30);
}

}  // namespace
}  // namespace carronade::stats
