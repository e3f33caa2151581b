#include <gtest/gtest.h>

#include "carronade/result_codec.h"
#include "stats/result_equal_test_support.h"
#include "stats/result_test_support.h"

namespace carronade {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kStart = 1'700'000'000 * kSecond;

// Ends after `seconds`; each second has `answered` answers.
RunResult steady(int64_t start_unix_ns, int seconds, uint64_t answered) {
  RunResult result;
  result.start_unix_ns = start_unix_ns;
  result.elapsed_ns = seconds * kSecond;
  for (int i = 0; i < seconds; ++i) {
    result.series.push_back({.start_ns = i * kSecond,
                             .width_ns = kSecond,
                             .sent = answered,
                             .answered = answered,
                             .connections = 1,
                             .p50_ns = 5,
                             .p99_ns = 9});
    result.samples.push_back(result.series.back());
    result.answered += answered;
    result.latency.record_many(5, answered);
  }
  result.sent = result.answered;
  return result;
}

TEST(MergeResults, OneStaysAsItIs) {
  const RunResult result = stats::RandomResult(1).make();
  EXPECT_EQ(stats::first_difference(merge_results({result}), result), -1);
}

// Each field of these types is a count of what happened, in the result itself and in its rate.
struct ExpectSum {
  int sums = 0;
  void operator()(uint64_t merged, uint64_t a, uint64_t b) {
    EXPECT_EQ(merged, a + b) << "count " << sums;
    ++sums;
  }
  void operator()(const Histogram& merged, const Histogram& a, const Histogram& b) {
    Histogram both = a;
    both.merge(b);
    EXPECT_TRUE(stats::equal(merged, both)) << "count " << sums;
    ++sums;
  }
  void operator()(const std::array<uint64_t, 1000>& merged, const std::array<uint64_t, 1000>& a,
                  const std::array<uint64_t, 1000>& b) {
    for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(merged[i], a[i] + b[i]) << i;
    ++sums;
  }
  template <class T>
  void operator()(const T&, const T&, const T&) {}
};

template <class T>
int expect_sums(const T& merged, const T& a, const T& b) {
  ExpectSum expect;
  [&]<size_t... kAt>(std::index_sequence<kAt...>, auto m, auto x, auto y) {
    (expect(std::get<kAt>(m), std::get<kAt>(x), std::get<kAt>(y)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(stats::fields_of(a))>>(),
   stats::fields_of(merged), stats::fields_of(a), stats::fields_of(b));
  return expect.sums;
}

TEST(MergeResults, CountsAddUpAndHistogramsMerge) {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    const RunResult a = stats::RandomResult(seed).make();
    const RunResult b = stats::RandomResult(seed + 100).make();
    const RunResult merged = merge_results({a, b});
    EXPECT_GE(expect_sums(merged, a, b), 22);
    EXPECT_GE(expect_sums(*merged.rate, *a.rate, *b.rate), 9);
    EXPECT_TRUE(merged.conserved());
    EXPECT_EQ(merged.error_total(), a.error_total() + b.error_total());
    EXPECT_EQ(merged.workers.size(), a.workers.size() + b.workers.size());
    EXPECT_TRUE(merged.intervals.empty());
    EXPECT_FALSE(merged.warmup);
    const Expected<RunResult> again = decode_result(encode_result(merged));
    ASSERT_TRUE(again) << again.error().text;
    EXPECT_EQ(stats::first_difference(*again, merged), -1);
  }
}

TEST(MergeResults, TheOrderOfTheRestDoesNotMatter) {
  const RunResult a = stats::RandomResult(7).make();
  const RunResult b = stats::RandomResult(8).make();
  const RunResult c = stats::RandomResult(9).make();
  const RunResult one = merge_results({a, b, c});
  const RunResult other = merge_results({a, c, b});
  EXPECT_TRUE(stats::equal(one.series, other.series));
  EXPECT_TRUE(stats::equal(one.samples, other.samples));
  EXPECT_TRUE(stats::equal(one.latency, other.latency));
  EXPECT_EQ(one.elapsed_ns, other.elapsed_ns);
  EXPECT_EQ(one.start_unix_ns, other.start_unix_ns);
}

TEST(MergeResults, WindowsMeetByTheirPlaceInTime) {
  const RunResult early = steady(kStart, 3, 10);
  const RunResult late = steady(kStart + 2 * kSecond - kSecond / 10, 3, 100);
  const RunResult merged = merge_results({late, early});
  EXPECT_EQ(merged.start_unix_ns, kStart);
  EXPECT_EQ(merged.elapsed_ns, 5 * kSecond - kSecond / 10);
  ASSERT_EQ(merged.series.size(), 5U);
  const uint64_t answered[] = {10, 10, 110, 100, 100};
  for (size_t i = 0; i < 5; ++i) {
    const Window& window = merged.series[i];
    EXPECT_EQ(window.start_ns, static_cast<int64_t>(i) * kSecond);
    EXPECT_EQ(window.width_ns, kSecond);
    EXPECT_EQ(window.answered, answered[i]) << i;
    EXPECT_EQ(window.connections, i == 2 ? 2U : 1U);
    EXPECT_EQ(window.p50_ns, i == 2 ? -1 : 5);
    EXPECT_EQ(window.p99_ns, i == 2 ? -1 : 9);
    EXPECT_EQ(merged.samples[i].answered, answered[i]);
  }
}

TEST(MergeResults, PercentilesOfASecondAreThoseOfTheOnlyPartThatHasAnswersInIt) {
  const RunResult busy = steady(kStart, 1, 4);
  const RunResult idle = [] {
    RunResult result = steady(kStart, 1, 0);
    result.series[0].p50_ns = result.series[0].p99_ns = -1;
    return result;
  }();
  EXPECT_EQ(merge_results({busy, idle}).series[0].p50_ns, 5);
  EXPECT_EQ(merge_results({idle, busy}).series[0].p99_ns, 9);
  EXPECT_EQ(merge_results({idle, busy, busy, busy}).series[0].p50_ns, -1);
}

TEST(MergeResults, ATimeInWhichNothingWasMeasuredHasNoWindows) {
  const int64_t year = int64_t{365} * 24 * 3600 * kSecond;
  const RunResult merged = merge_results({steady(kStart, 2, 1), steady(kStart + year, 2, 1)});
  ASSERT_EQ(merged.series.size(), 4U);
  EXPECT_EQ(merged.series[2].start_ns, year);
  EXPECT_EQ(merged.elapsed_ns, year + 2 * kSecond);
}

TEST(MergeResults, TheCutWindowAtTheEndIsAsLongAsTheLongest) {
  RunResult a = steady(kStart, 2, 1);
  RunResult b = a;
  a.samples.back().width_ns = kSecond / 4;
  b.samples.back().width_ns = kSecond / 2;
  EXPECT_EQ(merge_results({a, b}).samples.back().width_ns, kSecond / 2);
}

TEST(MergeResults, APartThatNeverBeganMovesNothing) {
  const RunResult run = steady(kStart, 2, 3);
  const RunResult merged = merge_results({RunResult(), run});
  EXPECT_EQ(merged.start_unix_ns, kStart);
  EXPECT_EQ(merged.elapsed_ns, 2 * kSecond);
  EXPECT_TRUE(stats::equal(merged.series, run.series));
}

TEST(MergeResults, SamplesOfDifferentWidthsAreLeftOut) {
  const RunResult a = steady(kStart, 2, 3);
  RunResult b = a;
  b.sample_interval_ns = kSecond / 2;
  const RunResult merged = merge_results({a, b});
  EXPECT_TRUE(merged.samples.empty());
  EXPECT_EQ(merged.series.size(), 2U);
}

TEST(MergeResults, AddressesAreUnitedAndEqualErrorsMeet) {
  RunResult a;
  RunResult b;
  a.addresses = {"127.0.0.1:1", "127.0.0.1:2"};
  b.addresses = {"127.0.0.1:2", "127.0.0.1:3"};
  a.errors = {{ErrorKind::kTimeout, Phase::kTimeout, "late", 3, 3},
              {ErrorKind::kConnectRefused, Phase::kConnect, "no", 2, 0}};
  b.errors = {{ErrorKind::kConnectRefused, Phase::kConnect, "no", 4, 0},
              {ErrorKind::kConnectRefused, Phase::kConnect, "never", 1, 0}};
  const RunResult merged = merge_results({a, b});
  EXPECT_EQ(merged.addresses,
            (std::vector<std::string>{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}));
  ASSERT_EQ(merged.errors.size(), 3U);
  EXPECT_EQ(merged.errors[0].text, "no");
  EXPECT_EQ(merged.errors[0].count, 6U);
  EXPECT_EQ(merged.errors[1].text, "late");
  EXPECT_EQ(merged.errors[1].requests, 3U);
  EXPECT_EQ(merged.errors[2].text, "never");
}

TEST(MergeResults, StoppedByTheFirstUnlessOneWasStoppedEarly) {
  const auto merged = [](std::vector<StoppedBy> whys) {
    std::vector<RunResult> parts(whys.size());
    for (size_t i = 0; i < whys.size(); ++i) parts[i].stopped_by = whys[i];
    return merge_results(parts).stopped_by;
  };
  EXPECT_EQ(merged({StoppedBy::kAmount, StoppedBy::kDuration}), StoppedBy::kAmount);
  EXPECT_EQ(merged({StoppedBy::kAmount, StoppedBy::kBailout}), StoppedBy::kBailout);
  EXPECT_EQ(merged({StoppedBy::kData, StoppedBy::kUser, StoppedBy::kBailout}), StoppedBy::kUser);
}

TEST(MergeResults, WhatWebSocketsFoundAddsUp) {
  RunResult a;
  RunResult b;
  EXPECT_FALSE(merge_results({a, b}).websocket);
  a.websocket = {.handshakes_tried = 5,
                 .handshakes_opened = 3,
                 .refused_by_status = {{404, 2}},
                 .text_messages = 10,
                 .pings = 1,
                 .closes_by_code = {{1000, 2}, {1001, 1}}};
  EXPECT_EQ(stats::first_difference(*merge_results({b, a}).websocket, *a.websocket), -1);
  b.websocket = {.handshakes_tried = 2,
                 .refused_by_status = {{404, 1}, {503, 1}},
                 .binary_messages = 4,
                 .unasked_messages = 3,
                 .pongs = 7,
                 .closes_by_code = {{1001, 5}}};
  const WebSocketResult both = *merge_results({a, b}).websocket;
  EXPECT_EQ(both.handshakes_tried, 7U);
  EXPECT_EQ(both.handshakes_opened, 3U);
  EXPECT_EQ(both.refused_by_status, (std::map<uint16_t, uint64_t>{{404, 3}, {503, 1}}));
  EXPECT_EQ(both.text_messages, 10U);
  EXPECT_EQ(both.binary_messages, 4U);
  EXPECT_EQ(both.unasked_messages, 3U);
  EXPECT_EQ(both.pings, 1U);
  EXPECT_EQ(both.pongs, 7U);
  EXPECT_EQ(both.closes_by_code, (std::map<uint16_t, uint64_t>{{1000, 2}, {1001, 6}}));
}

TEST(MergeResults, StagesMeetInOrderWhenTheyAreTheSame) {
  RunResult a = stats::RandomResult(3).make();
  RunResult b = a;
  const std::vector<StageResult> stages = a.rate->stages;
  b.rate->stages[0].width_ns += 5;
  RunResult merged = merge_results({a, b});
  ASSERT_EQ(merged.rate->stages.size(), stages.size());
  EXPECT_EQ(merged.rate->stages[0].name, stages[0].name);
  EXPECT_EQ(merged.rate->stages[0].start_ns, stages[0].start_ns);
  EXPECT_EQ(merged.rate->stages[0].width_ns, stages[0].width_ns + 5);
  EXPECT_EQ(merged.rate->stages[1].planned, 2 * stages[1].planned);
  EXPECT_EQ(merged.rate->stages[1].dropped, 2 * stages[1].dropped);
  b.rate->stages[1].name = "another";
  EXPECT_TRUE(merge_results({a, b}).rate->stages.empty());
  b.rate.reset();
  merged = merge_results({b, a});
  ASSERT_TRUE(merged.rate);
  EXPECT_EQ(stats::first_difference(*merged.rate, *a.rate), -1);
}

TEST(MergeResults, TheHostIsAsBadAsItsWorstPart) {
  RunResult a;
  RunResult b;
  a.host = {.steal_ns = 5, .cores = 4, .descriptors = 10, .descriptor_limit = 100};
  b.host = {.steal_ns = -1,
            .retransmits = 7,
            .cores = 2,
            .descriptors = 30,
            .descriptor_limit = 50,
            .local_ports = 28'000};
  const HostHealth host = merge_results({a, b}).host;
  EXPECT_EQ(host.steal_ns, 5);
  EXPECT_EQ(host.throttled_ns, -1);
  EXPECT_EQ(host.retransmits, 7);
  EXPECT_EQ(host.cores, 2);
  EXPECT_EQ(host.descriptors, 30);
  EXPECT_EQ(host.descriptor_limit, 50);
  EXPECT_EQ(host.local_ports, 28'000);
}

}  // namespace
}  // namespace carronade
