#include "stats/recorder.h"

#include <gtest/gtest.h>

#include <random>

namespace carronade::stats {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1000 * kMs;
constexpr int64_t kStart = 77 * kSecond + 5;

RunResult result_of(const Recorder& recorder, int64_t end_ns) {
  return merge({&recorder}, kStart, end_ns);
}

Window sum(const std::vector<Window>& windows) {
  Window total;
  for (const Window& window : windows) {
    total.width_ns += window.width_ns;
    add_counts(total, window);
  }
  return total;
}

void expect_windows_hold_everything(const RunResult& result) {
  for (const auto* windows : {&result.samples, &result.series}) {
    const Window total = sum(*windows);
    EXPECT_EQ(total.width_ns, result.elapsed_ns);
    EXPECT_EQ(total.sent, result.sent);
    EXPECT_EQ(total.answered, result.answered);
    EXPECT_EQ(total.errors, result.error_total());
    EXPECT_EQ(total.bytes_received, result.bytes_received);
  }
}

// One event of a simulated run: `recorder` hears it, whoever that is.
void play(Recorder& recorder, int64_t now_ns, std::mt19937& random) {
  recorder.advance(now_ns);
  recorder.sent(2);
  recorder.bytes_sent(100);
  recorder.bytes_received(1000 + random() % 100);
  const auto latency = static_cast<int64_t>(random() % (50 * kMs));
  recorder.answered(random() % 10 == 0 ? 503 : 200, latency, latency / 2, 900, 1000);
  if (random() % 20 == 0) recorder.error(ErrorKind::kTimeout, Phase::kTimeout, "slow", 3);
  if (random() % 50 == 0) recorder.error(ErrorKind::kConnectRefused, Phase::kConnect, "no", 0);
}

TEST(Recorder, WindowsOfBothWidthsHoldEveryCount) {
  Recorder recorder({.start_ns = kStart, .sample_interval_ns = 300 * kMs});
  std::mt19937 random(1);
  int64_t now = kStart;
  const int64_t end = kStart + 10 * kSecond + 450 * kMs;
  while (now < end) {
    play(recorder, now, random);
    // Mostly short steps; now and then a gap of several windows.
    now += static_cast<int64_t>(random() % (random() % 30 == 0 ? 3 * kSecond : 20 * kMs));
  }
  recorder.finish(end);
  const RunResult result = result_of(recorder, end);
  EXPECT_EQ(result.elapsed_ns, end - kStart);
  EXPECT_EQ(result.sample_interval_ns, 300 * kMs);
  ASSERT_EQ(result.series.size(), 11U);
  ASSERT_EQ(result.samples.size(), 35U);
  EXPECT_EQ(result.series[10].width_ns, 450 * kMs);
  EXPECT_EQ(result.samples[34].start_ns, 34 * 300 * kMs);
  EXPECT_EQ(result.samples[34].width_ns, 250 * kMs);
  expect_windows_hold_everything(result);
  EXPECT_EQ(result.latency.count(), result.answered);
  EXPECT_EQ(result.first_byte.count(), result.answered);
}

TEST(Recorder, EventsBelongToTheWindowOfTheLastAdvance) {
  Recorder recorder({.start_ns = kStart, .sample_interval_ns = 100 * kMs});
  recorder.advance(kStart + 99 * kMs);
  recorder.sent(1);
  recorder.advance(kStart + 450 * kMs);  // late: three empty windows in between
  recorder.sent(10);
  recorder.finish(kStart + 460 * kMs);
  const RunResult result = result_of(recorder, kStart + 460 * kMs);
  ASSERT_EQ(result.samples.size(), 5U);
  EXPECT_EQ(result.samples[0].sent, 1U);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(result.samples[i].sent, 0U);
  EXPECT_EQ(result.samples[4].sent, 10U);
  EXPECT_EQ(result.series.size(), 1U);
  expect_windows_hold_everything(result);
}

TEST(Recorder, AGapOfMoreThanAHundredThousandWindows) {
  Recorder recorder({.start_ns = kStart, .sample_interval_ns = kMs});
  recorder.sent(1);
  const int64_t late = kStart + 250 * kSecond;
  recorder.advance(late);
  recorder.sent(5);
  recorder.finish(late + kMs / 2);
  const RunResult result = result_of(recorder, late + kMs / 2);
  ASSERT_EQ(result.samples.size(), 250'001U);
  EXPECT_EQ(result.samples.front().sent, 1U);
  EXPECT_EQ(result.samples.back().sent, 5U);
  EXPECT_EQ(result.samples.back().width_ns, kMs / 2);
  EXPECT_EQ(result.series.size(), 251U);
  expect_windows_hold_everything(result);
}

TEST(Recorder, PercentilesOfASecondAreThoseOfItsSamples) {
  Recorder recorder({.start_ns = kStart});
  for (int64_t i = 1; i <= 100; ++i) recorder.answered(200, i * 10, i, 1, 2);
  recorder.advance(kStart + kSecond);
  recorder.advance(kStart + 2 * kSecond);
  for (int64_t i = 1; i <= 10; ++i) recorder.answered(200, i, i, 1, 2);
  recorder.finish(kStart + 2 * kSecond + 1);
  const RunResult result = result_of(recorder, kStart + 2 * kSecond + 1);
  ASSERT_EQ(result.series.size(), 3U);
  EXPECT_EQ(result.series[0].p50_ns, 500);
  EXPECT_EQ(result.series[0].p99_ns, 990);
  EXPECT_EQ(result.series[1].p50_ns, -1);
  EXPECT_EQ(result.series[1].p99_ns, -1);
  EXPECT_EQ(result.series[2].p50_ns, 5);
  EXPECT_EQ(result.samples[0].p50_ns, -1);  // only in `series`
  EXPECT_EQ(result.latency.count(), 110U);
}

TEST(Recorder, AnswersAtTheVeryEndJoinTheLastSecond) {
  Recorder recorder({.start_ns = kStart});
  recorder.answered(200, 10, 1, 1, 2);
  recorder.advance(kStart + kSecond);
  recorder.answered(200, 1000, 1, 1, 2);
  recorder.finish(kStart + kSecond);
  const RunResult result = result_of(recorder, kStart + kSecond);
  ASSERT_EQ(result.series.size(), 1U);
  EXPECT_EQ(result.series[0].answered, 2U);
  EXPECT_EQ(result.series[0].p50_ns, 10);
  EXPECT_EQ(result.series[0].p99_ns, 1000);
  EXPECT_EQ(result.latency.count(), 2U);
}

TEST(Recorder, MergingTwoEqualsOne) {
  const Recorder::Options options{.start_ns = kStart, .sample_interval_ns = 250 * kMs};
  Recorder one(options), left(options), right(options);
  std::mt19937 random(2);
  const int64_t end = kStart + 3 * kSecond + 333;
  int step = 0;
  for (int64_t now = kStart; now < end; now += 1'234'567, ++step) {
    Recorder& half = step % 3 == 0 ? left : right;
    std::mt19937 same = random;
    play(one, now, random);
    play(half, now, same);
    left.advance(now);
    right.advance(now);
  }
  for (Recorder* recorder : {&one, &left, &right}) recorder->finish(end);
  const RunResult whole = merge({&one}, kStart, end);
  const RunResult merged = merge({&left, &right}, kStart, end);

  EXPECT_EQ(merged.sent, whole.sent);
  EXPECT_EQ(merged.answered, whole.answered);
  EXPECT_EQ(merged.timed_out, whole.timed_out);
  EXPECT_EQ(merged.by_status, whole.by_status);
  EXPECT_EQ(merged.bytes_received, whole.bytes_received);
  EXPECT_EQ(merged.latency.sum(), whole.latency.sum());
  EXPECT_EQ(merged.latency.percentile(99), whole.latency.percentile(99));
  EXPECT_EQ(merged.error_total(), whole.error_total());
  ASSERT_EQ(merged.errors.size(), 2U);
  EXPECT_EQ(merged.errors[0].text, "slow");
  EXPECT_EQ(merged.errors[0].count, whole.errors[0].count);
  ASSERT_EQ(merged.samples.size(), whole.samples.size());
  ASSERT_EQ(merged.series.size(), whole.series.size());
  for (size_t i = 0; i < whole.series.size(); ++i) {
    EXPECT_EQ(merged.series[i].start_ns, whole.series[i].start_ns);
    EXPECT_EQ(merged.series[i].width_ns, whole.series[i].width_ns);
    EXPECT_EQ(merged.series[i].answered, whole.series[i].answered);
    EXPECT_EQ(merged.series[i].p50_ns, whole.series[i].p50_ns);
    EXPECT_EQ(merged.series[i].p99_ns, whole.series[i].p99_ns);
  }
  expect_windows_hold_everything(merged);
}

TEST(Recorder, ManyAnswersAtOnceCountAsOneByOne) {
  Recorder together({.start_ns = kStart, .sample_interval_ns = kSecond});
  Recorder one_by_one({.start_ns = kStart, .sample_interval_ns = kSecond});
  for (Recorder* recorder : {&together, &one_by_one}) recorder->sent(7);
  together.answered(200, 3 * kMs, kMs, 700, 1400, 7);
  for (int i = 0; i < 7; ++i) one_by_one.answered(200, 3 * kMs, kMs, 100, 200);
  for (Recorder* recorder : {&together, &one_by_one}) recorder->finish(kStart + kSecond);
  const RunResult a = result_of(together, kStart + kSecond);
  const RunResult b = result_of(one_by_one, kStart + kSecond);
  EXPECT_EQ(a.answered, 7u);
  EXPECT_EQ(a.by_status, b.by_status);
  EXPECT_EQ(a.bytes_body, b.bytes_body);
  EXPECT_EQ(a.latency.count(), 7u);
  EXPECT_EQ(a.latency.stddev(), b.latency.stddev());
  EXPECT_EQ(a.first_byte.percentile(50), b.first_byte.percentile(50));
  EXPECT_EQ(a.first_byte.sum(), b.first_byte.sum());
}

TEST(Recorder, WorkersThatEndApartKeepTheLongerWindows) {
  Recorder early({.start_ns = kStart}), late({.start_ns = kStart});
  early.sent(1);
  early.finish(kStart + 400 * kMs);
  late.sent(2);
  late.advance(kStart + 1500 * kMs);
  late.sent(4);
  late.finish(kStart + 1500 * kMs);
  const RunResult result = merge({&early, &late}, kStart, kStart + 1500 * kMs);
  ASSERT_EQ(result.series.size(), 2U);
  EXPECT_EQ(result.series[0].sent, 3U);
  EXPECT_EQ(result.series[1].sent, 4U);
  expect_windows_hold_everything(result);
}

TEST(Recorder, ExcludedAnswersStayOutOfLatencyAndWindowBytesOnly) {
  Recorder recorder({.start_ns = kStart, .exclude_error_stats = true});
  recorder.bytes_received(1500);
  recorder.answered(200, 10, 5, 900, 1000);
  recorder.answered(500, 99, 98, 300, 400);
  recorder.answered(302, 99, 98, 0, 100);
  recorder.finish(kStart + kSecond);
  const RunResult result = result_of(recorder, kStart + kSecond);
  EXPECT_EQ(result.answered, 3U);
  EXPECT_EQ(result.non_2xx(), 2U);
  EXPECT_EQ(result.latency.count(), 1U);
  EXPECT_EQ(result.latency.max(), 10);
  EXPECT_EQ(result.first_byte.max(), 5);
  EXPECT_EQ(result.bytes_received, 1500U);
  EXPECT_EQ(result.bytes_body, 1200U);
  EXPECT_EQ(sum(result.series).bytes_received, 1000U);
  EXPECT_EQ(sum(result.samples).bytes_received, 1000U);
  EXPECT_EQ(sum(result.series).answered, 3U);
  EXPECT_EQ(result.series[0].p99_ns, 10);
}

TEST(Recorder, ErrorsCountTheirRequests) {
  Recorder recorder({.start_ns = kStart});
  recorder.sent(9);
  recorder.error(ErrorKind::kTimeout, Phase::kTimeout, "t", 4);
  recorder.error(ErrorKind::kConnectionReset, Phase::kRead, "r", 3);
  recorder.error(ErrorKind::kExcessBytes, Phase::kParse, "x", 0);
  recorder.error(ErrorKind::kConnectTimeout, Phase::kConnect, "c", 0);
  recorder.error(ErrorKind::kConnectRefused, Phase::kConnect, "d", 0);
  // Two that waited to be sent once more and found the server gone.
  recorder.error(ErrorKind::kConnectRefused, Phase::kConnect, "d", 2);
  EXPECT_EQ(recorder.totals().timed_out, 4U);
  EXPECT_EQ(recorder.totals().failed, 5U);
  EXPECT_EQ(recorder.totals().errors, 12U);
  recorder.finish(kStart + kSecond);
  const RunResult result = result_of(recorder, kStart + kSecond);
  EXPECT_TRUE(result.conserved());
  EXPECT_EQ(result.error_total(), 12U);
  EXPECT_EQ(result.timeout_total(), 5U);
  EXPECT_EQ(result.errors[0].text, "t");
  EXPECT_EQ(result.errors[1].count, 3U);
  expect_windows_hold_everything(result);
}

TEST(Recorder, DistinctErrorTextsAreCapped) {
  Recorder recorder({.start_ns = kStart});
  for (int i = 0; i < 150; ++i) {
    recorder.error(ErrorKind::kReadFailed, Phase::kRead, "read " + std::to_string(i), 1);
  }
  recorder.error(ErrorKind::kReadFailed, Phase::kRead, "read 99", 1);
  recorder.error(ErrorKind::kWriteFailed, Phase::kWrite, "write", 1);  // a kind of its own
  recorder.error(ErrorKind::kWriteFailed, Phase::kWrite, "other", 1);
  ASSERT_EQ(recorder.errors().size(), Recorder::kMaxErrorRows + 1);
  EXPECT_EQ(recorder.errors()[0].text, "read 0");
  EXPECT_EQ(recorder.errors()[0].count, 51U);
  EXPECT_EQ(recorder.errors()[99].count, 2U);
  EXPECT_EQ(recorder.errors()[100].text, "write");
  EXPECT_EQ(recorder.errors()[100].count, 2U);
  EXPECT_EQ(recorder.totals().errors, 153U);
}

TEST(Recorder, ConnectionsAndTheirPeaks) {
  Recorder a({.start_ns = kStart}), b({.start_ns = kStart});
  a.connected(100);
  a.tls_done(1000, false);
  a.opened(false);
  a.opened(false);
  a.closed();
  a.connected(200);
  a.tls_done(500, true);
  a.opened(true);
  b.opened(false);
  a.advance(kStart + kSecond);
  b.advance(kStart + kSecond);
  b.closed();
  a.finish(kStart + 1500 * kMs);
  b.finish(kStart + 1500 * kMs);
  const RunResult result = merge({&a, &b}, kStart, kStart + 1500 * kMs);
  EXPECT_EQ(result.connections_peak, 3U);
  EXPECT_EQ(result.connections_opened, 4U);
  EXPECT_EQ(result.reconnects, 1U);
  EXPECT_EQ(result.tls_resumed, 1U);
  EXPECT_EQ(result.connect.count(), 2U);
  EXPECT_EQ(result.connect.max(), 200);
  EXPECT_EQ(result.tls_handshake.max(), 1000);
  ASSERT_EQ(result.series.size(), 2U);
  EXPECT_EQ(result.series[0].connections, 3U);
  EXPECT_EQ(result.series[1].connections, 2U);
}

TEST(Recorder, StatusesOutOfRangeAndTheOtherCounters) {
  Recorder recorder({.start_ns = kStart});
  recorder.answered(65'535, 1, 1, 7, 9);
  recorder.retried(3);
  recorder.mismatched();
  recorder.bytes_sent(11);
  recorder.finish(kStart + 1);
  const RunResult result = result_of(recorder, kStart + 1);
  EXPECT_EQ(result.by_status[999], 1U);
  EXPECT_EQ(result.retried, 3U);
  EXPECT_EQ(result.mismatched, 1U);
  EXPECT_EQ(result.bytes_sent, 11U);
  EXPECT_EQ(result.bytes_body, 7U);
}

TEST(Recorder, NothingAtAll) {
  Recorder recorder({.start_ns = kStart});
  recorder.finish(kStart);
  const RunResult result = result_of(recorder, kStart);
  EXPECT_TRUE(result.series.empty());
  EXPECT_TRUE(result.samples.empty());
  EXPECT_TRUE(result.latency.empty());
  EXPECT_TRUE(merge({}, kStart, kStart + 5).series.empty());
}

}  // namespace
}  // namespace carronade::stats
