#include "dialects/vegeta/vegeta_metrics.h"

#include <gtest/gtest.h>

#include <string>

#include "dialects/vegeta/vegeta_report.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;

Result result_at(int64_t ms, int64_t latency_ms, uint16_t code) {
  Result result;
  result.timestamp_unix_ns = 1'700'000'000 * kSecond + ms * kMillisecond;
  result.latency_ns = latency_ms * kMillisecond;
  result.code = code;
  result.bytes_in = 10;
  return result;
}

TEST(VegetaMetrics, RatesAndTimes) {
  ResultMetrics metrics;
  // Out of order, as answers come.
  metrics.add(result_at(1000, 100, 200));
  metrics.add(result_at(0, 4000, 399));
  metrics.add(result_at(2000, 500, 404));
  metrics.add(result_at(500, 10, 0));
  EXPECT_EQ(metrics.requests(), 4);
  EXPECT_EQ(metrics.attack_ns(), 2 * kSecond);
  EXPECT_EQ(metrics.wait_ns(), 2 * kSecond);
  EXPECT_EQ(metrics.total_ns(), 4 * kSecond);
  EXPECT_DOUBLE_EQ(metrics.rate(), 2);
  EXPECT_DOUBLE_EQ(metrics.throughput(), 0.5);
  EXPECT_DOUBLE_EQ(metrics.success(), 0.5);
  EXPECT_EQ(metrics.latency_total_ns(), 4610 * kMillisecond);
  EXPECT_EQ(metrics.latency_mean_ns(), 1'152'500'000);
  EXPECT_EQ(metrics.bytes_in(), 40);
}

TEST(VegetaMetrics, OneRequestAndNone) {
  ResultMetrics metrics;
  EXPECT_EQ(metrics.rate(), 0);
  EXPECT_EQ(metrics.success(), 0);
  metrics.add(result_at(0, 3, 200));
  EXPECT_EQ(metrics.rate(), 1);
  EXPECT_EQ(metrics.throughput(), 1);
  EXPECT_EQ(metrics.wait_ns(), 3 * kMillisecond);
}

TEST(VegetaMetrics, CodesAreInTheOrderOfTheirTexts) {
  ResultMetrics metrics;
  for (const uint16_t code : {500, 0, 1000, 200, 0, 65535}) metrics.add(result_at(0, 1, code));
  const std::vector<std::pair<std::string, uint64_t>> expected{
      {"0", 2}, {"1000", 1}, {"200", 1}, {"500", 1}, {"65535", 1}};
  EXPECT_EQ(metrics.status_codes(), expected);
}

TEST(VegetaMetrics, ErrorsOnceAndInTheirOrder) {
  ResultMetrics metrics;
  for (const char* text : {"b", "a", "", "b", "c"}) {
    Result result = result_at(0, 1, 0);
    result.error = text;
    metrics.add(result);
  }
  EXPECT_EQ(metrics.errors(), (std::vector<std::string>{"b", "a", "c"}));
}

TEST(VegetaMetrics, ErrorsWithoutEndAreCounted) {
  ResultMetrics metrics;
  Result result = result_at(0, 1, 0);
  for (size_t i = 0; i < ResultMetrics::kMostErrors + 5; ++i) {
    result.error = "port " + std::to_string(i);
    metrics.add(result);
    metrics.add(result);
  }
  const std::vector<std::string> errors = metrics.errors();
  ASSERT_EQ(errors.size(), ResultMetrics::kMostErrors + 1);
  EXPECT_EQ(errors.back(), "(10 more results with errors whose texts were not kept)");
}

TEST(VegetaMetrics, AMillionResultsAreCountedExactly) {
  ResultMetrics metrics;
  Result result;
  for (int64_t i = 0; i < 1'500'000; ++i) {
    result.timestamp_unix_ns = i * 1'000;
    result.latency_ns = i;
    result.code = i % 3 == 0 ? 500 : 200;
    metrics.add(result);
  }
  EXPECT_EQ(metrics.requests(), 1'500'000);
  EXPECT_EQ(metrics.latency_total_ns(), int64_t{1'500'000} * 1'499'999 / 2);
  EXPECT_EQ(metrics.status_codes()[1].second, 500'000);
  EXPECT_NEAR(static_cast<double>(metrics.latency().percentile(99)), 1'485'000, 1'500);
}

TEST(VegetaMetrics, ExtremesOfTimeDoNoHarm) {
  ResultMetrics metrics;
  Result result;
  result.latency_ns = INT64_MAX;
  for (const int64_t time : {INT64_MIN, INT64_MAX, INT64_C(0)}) {
    result.timestamp_unix_ns = time;
    metrics.add(result);
  }
  EXPECT_EQ(metrics.attack_ns(), INT64_MAX);
  EXPECT_EQ(metrics.latency_total_ns(), INT64_MAX);
  EXPECT_FALSE(text_report(metrics).empty());
}

TEST(VegetaBuckets, AreParsed) {
  const auto bounds = [](std::string_view text) { return BucketCounts::parse(text)->bounds_ns(); };
  EXPECT_EQ(bounds("[0,1ms,10ms]"), (std::vector<int64_t>{0, kMillisecond, 10 * kMillisecond}));
  EXPECT_EQ(bounds("[2ms, 4ms]"), (std::vector<int64_t>{0, 2 * kMillisecond, 4 * kMillisecond}));
  const auto error = [](std::string_view text) { return BucketCounts::parse(text).error().text; };
  EXPECT_EQ(error(""), "bad buckets: ");
  EXPECT_EQ(error("[0,1ms"), "bad buckets: [0,1ms");
  EXPECT_EQ(error("[0, 2]"), "time: missing unit in duration \"2\"");
  EXPECT_EQ(error("[]"), "time: invalid duration \"\"");
  EXPECT_EQ(error("[0,2ms,1ms]"), "bad buckets: [0,2ms,1ms]: the bounds have to rise");
}

TEST(VegetaBuckets, UpperBoundsAreExclusive) {
  BucketCounts buckets = BucketCounts::parse("[0,1ms,10ms]").value();
  for (const int64_t us : {0, 999, 1000, 9999, 10'000, 10'000'000}) buckets.add(us * 1'000);
  EXPECT_EQ(buckets.counts(), (std::vector<uint64_t>{2, 2, 2}));
  EXPECT_EQ(buckets.total(), 6);
}

}  // namespace
}  // namespace carronade::dialects::vegeta
