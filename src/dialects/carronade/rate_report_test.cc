#include "dialects/carronade/rate_report.h"

#include <gtest/gtest.h>

#include "dialects/carronade/latency_bounds.h"
#include "stats/histogram_codec.h"

namespace carronade::dialects {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;

ReportFacts rate_facts(const std::string& load) {
  ReportFacts facts;
  facts.load = load;
  facts.arrivals = "even";
  return facts;
}

TEST(ExpectingLine, SaysHowManyAndHow) {
  ReportFacts facts = rate_facts("200/s");
  EXPECT_EQ(expecting_line(2000, 10 * kSecond, facts),
            "expecting 2,000 requests in 10 s: 200/s, even");
  EXPECT_EQ(expecting_line(1, 1500 * kMs, facts), "expecting 1 request in 1.5 s: 200/s, even");
  EXPECT_EQ(expecting_line(50, std::nullopt, facts), "expecting 50 requests: 200/s, even");
  facts.arrivals = "poisson, seed 7";
  facts.random_arrivals = true;
  EXPECT_EQ(expecting_line(1999.6, 10 * kSecond, facts),
            "expecting about 2,000 requests in 10 s: 200/s, poisson, seed 7");
}

TEST(OpenLoopLine, SaysWhatBecameOfThePlan) {
  RunResult result;
  EXPECT_EQ(open_loop_line(result, rate_facts("")), "");
  RateResult& rate = result.rate.emplace();
  rate.planned = 2000;
  EXPECT_EQ(open_loop_line(result, rate_facts("200/s")),
            "open loop: planned 2,000 at 200/s, sent 2,000 (100 %), dropped 0 (0 refused, 0 never "
            "sent)\n");
  rate.planned = 1'000'000;
  rate.refused = 1;
  rate.unsent = 2;
  EXPECT_EQ(open_loop_line(result, rate_facts("--ramp 1..9/3s")),
            "open loop: planned 1,000,000 by --ramp 1..9/3s, sent 999,997 (99.99 %), dropped 3 "
            "(1 refused, 2 never sent)\n");
  rate = {};
  EXPECT_NE(open_loop_line(result, rate_facts("1/s")).find("sent 0 (n/a)"), std::string::npos);
}

TEST(LatenessLines, KeepsTheTwoPartsApart) {
  RunResult result;
  EXPECT_EQ(lateness_lines(result), "");
  RateResult& rate = result.rate.emplace();
  EXPECT_EQ(lateness_lines(result),
            "sent late by the generator: n/a (n = 0)\n"
            "sent late for want of a free connection: n/a (n = 0)\n");
  rate.generator_late.record_many(2'000, 99);
  rate.generator_late.record(80'000);
  rate.no_connection.record_many(0, 100);
  EXPECT_EQ(lateness_lines(result),
            "sent late by the generator: p50 2.00 µs, p99 2.00 µs, max 80.0 µs (n = 100)\n"
            "sent late for want of a free connection: never (n = 100)\n");
}

TEST(WarmupLine, TellsWhatWasFound) {
  RunResult result;
  EXPECT_EQ(warmup_line(result), "");
  WarmupResult& warmup = result.warmup.emplace();
  EXPECT_EQ(warmup_line(result), "warm-up: none found (MSER-5)\n");
  warmup.width_ns = 3 * kSecond;
  warmup.answered = 1234;
  EXPECT_EQ(warmup_line(result),
            "warm-up: the first 3.00 s, with 1,234 answers, left out of latency and rates "
            "(MSER-5)\n");
  warmup.settled = false;
  EXPECT_EQ(warmup_line(result),
            "warm-up: the run has not settled (MSER-5), so nothing is left out of its figures\n");
}

TEST(VerdictLines, AreOneLineWhenShort) {
  Verdict verdict;
  EXPECT_EQ(verdict_lines(verdict), "verdict: valid\n");
  verdict.state = VerdictState::kSuspect;
  verdict.reasons = {{VerdictState::kSuspect, "a", "too few samples"}};
  EXPECT_EQ(verdict_lines(verdict), "verdict: suspect: too few samples\n");
  verdict.reasons.push_back({VerdictState::kSuspect, "b", "not steady"});
  EXPECT_EQ(verdict_lines(verdict), "verdict: suspect: too few samples; not steady\n");
  const std::string lengthy(120, 'x');
  verdict.reasons = {{VerdictState::kSuspect, "a", lengthy}};
  EXPECT_EQ(verdict_lines(verdict), "verdict: suspect: " + lengthy + "\n");
}

TEST(VerdictLines, LongOnesHaveALineForEachReason) {
  Verdict verdict;
  verdict.state = VerdictState::kInvalid;
  const std::string lengthy(60, 'x');
  verdict.reasons = {{VerdictState::kInvalid, "a", lengthy},
                     {VerdictState::kSuspect, "b", lengthy}};
  EXPECT_EQ(verdict_lines(verdict),
            "verdict: invalid\n  " + lengthy + "\n  suspect: " + lengthy + "\n");
}

TEST(StageTable, IsThereForSeveralStages) {
  RunResult result;
  EXPECT_EQ(stage_table(result, ReportFacts()), "");
  RateResult& rate = result.rate.emplace();
  rate.stages.resize(1);
  EXPECT_EQ(stage_table(result, ReportFacts()), "");
  rate.stages.resize(2);
  rate.stages[1].name = "1m at 9/s";
  rate.stages[1].planned = 1234;
  const std::string table = stage_table(result, ReportFacts());
  EXPECT_NE(table.find("1m at 9/s"), std::string::npos);
  EXPECT_NE(table.find("1,234"), std::string::npos);
  EXPECT_NE(table.find("n/a"), std::string::npos);
}

TEST(MainLatency, IsTheServiceTimeWhereAskedFor) {
  RunResult result;
  ReportFacts facts;
  facts.service_time = true;
  EXPECT_EQ(&main_latency(result, facts), &result.latency);
  result.rate.emplace();
  EXPECT_EQ(&main_latency(result, facts), &result.rate->service_time);
  facts.service_time = false;
  EXPECT_EQ(&main_latency(result, facts), &result.latency);
}

// Twenty windows of a hundred latencies from 1 to 100 ms, the same in each.
RunResult calm_run() {
  RunResult result;
  for (int i = 0; i < 20; ++i) {
    Histogram window;
    for (int ms = 1; ms <= 100; ++ms) window.record(ms * kMs);
    result.latency.merge(window);
    result.intervals.push_back({i * kSecond, kSecond, stats::encode_histogram(window), ""});
  }
  return result;
}

TEST(LatencyBounds, LieAroundTheFigures) {
  const RunResult result = calm_run();
  const LatencyBounds bounds(result, result.latency);
  const auto median = bounds.percentile(50);
  ASSERT_TRUE(median);
  EXPECT_LT(median->low, result.latency.percentile(50));
  EXPECT_GT(median->high, result.latency.percentile(50));
  EXPECT_LT(median->high - median->low, 10 * kMs);
  const auto mean = bounds.mean();
  ASSERT_TRUE(mean);
  EXPECT_LE(mean->low, result.latency.mean());
  EXPECT_GE(mean->high, result.latency.mean());
  EXPECT_FALSE(bounds.percentile(99.9));  // of 2,000
}

TEST(LatencyBounds, TheMeanOfUnevenWindowsWeighsTheirSamples) {
  RunResult result;
  for (int i = 0; i < 30; ++i) {  // half of the windows have a tenth of the samples
    Histogram window;
    window.record_many(i % 2 == 0 ? 10 * kMs : 20 * kMs, i % 2 == 0 ? 1000 : 100);
    result.latency.merge(window);
    result.intervals.push_back({i * kSecond, kSecond, stats::encode_histogram(window), ""});
  }
  const LatencyBounds bounds(result, result.latency);
  const auto mean = bounds.mean();
  ASSERT_TRUE(mean);
  EXPECT_LE(mean->low, result.latency.mean());  // 10.9 ms, not the 15 ms of the windows' means
  EXPECT_GE(mean->high, result.latency.mean());
  EXPECT_LT(mean->high, 15.0 * kMs);
}

TEST(LatencyBounds, NothingToBound) {
  const RunResult result;
  const LatencyBounds bounds(result, result.latency);
  EXPECT_FALSE(bounds.percentile(50));
  EXPECT_FALSE(bounds.mean());
  const RunResult calm = calm_run();
  Histogram service_time;
  service_time.record_many(5 * kMs, 1000);
  const LatencyBounds of_service(calm, service_time);
  EXPECT_TRUE(of_service.percentile(50));
  EXPECT_FALSE(of_service.mean());
}

}  // namespace
}  // namespace carronade::dialects
