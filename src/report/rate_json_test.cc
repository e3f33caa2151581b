#include "report/rate_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "carronade/verdict.h"
#include "report/health_json.h"
#include "report/latency_json.h"
#include "report/result_json.h"
#include "stats/histogram_codec.h"

namespace carronade::report {
namespace {

using Json = nlohmann::ordered_json;

RunResult open_run() {
  RunResult result;
  result.rate.emplace();
  result.rate->planned = 400;
  result.rate->refused = 3;
  result.rate->unsent = 7;
  result.rate->sent_in_time = 388;
  result.rate->load_ns = 8'000'000'000;
  result.rate->pace = PaceMode::kSpin;
  result.latency.record(900);
  result.rate->service_time.record(600);
  result.rate->generator_late.record(20);
  result.rate->no_connection.record(280);
  return result;
}

TEST(RateJson, HasPlannedAndAchievedPerSecond) {
  EXPECT_EQ(rate_json(open_run()).dump(),
            R"({"planned":50,"achieved":48.5,"unit":"requests/s","requests":{"planned":400,)"
            R"("sentInTime":388,"refused":3,"unsent":7},"loadNs":8000000000,"pace":"spin"})");
}

TEST(RateJson, HasNoRateBeforeAnyTimeHasPassed) {
  RunResult result;
  result.rate.emplace();
  EXPECT_TRUE(rate_json(result)["planned"].is_null());
  EXPECT_TRUE(rate_json(result)["achieved"].is_null());
}

TEST(RateJson, KeepsTheTwoPartsOfLatenessApart) {
  const Json json = lateness_json(open_run());
  EXPECT_EQ(json["generator"]["max"], 20);
  EXPECT_EQ(json["noConnection"]["max"], 280);
}

TEST(RateJson, IsNullInAClosedLoop) {
  const Json json = result_json(RunResult());
  for (const char* key : {"rate", "lateness", "stages", "warmup"}) {
    ASSERT_TRUE(json.contains(key)) << key;
    EXPECT_TRUE(json[key].is_null()) << key;
  }
}

TEST(StagesJson, HasOneEntryAStage) {
  RunResult result = open_run();
  EXPECT_TRUE(stages_json(result).is_null());
  StageResult stage;
  stage.name = "10s at 100/s";
  stage.start_ns = 5;
  stage.width_ns = 6;
  stage.planned = 10;
  stage.sent = 8;
  stage.answered = 7;
  stage.failed = 1;
  stage.dropped = 2;
  stage.latency.record(40);
  stage.service_time.record(30);
  result.rate->stages = {stage, StageResult()};
  Json json = stages_json(result);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["latency"]["max"], 40);
  EXPECT_EQ(json[0]["serviceTime"]["max"], 30);
  json[0].erase("latency");
  json[0].erase("serviceTime");
  EXPECT_EQ(json[0].dump(),
            R"({"name":"10s at 100/s","start":5,"width":6,"planned":10,"sent":8,"answered":7,)"
            R"("failed":1,"dropped":2})");
}

TEST(WarmupJson, IsAPhaseOfItsOwn) {
  RunResult result;
  result.warmup.emplace();
  result.warmup->width_ns = 500;
  result.warmup->settled = false;
  result.warmup->answered = 1;
  result.warmup->latency.record(70);
  const Json closed = warmup_json(result);
  EXPECT_EQ(closed["width"], 500);
  EXPECT_EQ(closed["settled"], false);
  EXPECT_EQ(closed["answered"], 1);
  EXPECT_EQ(closed["latency"]["p50"], 70);
  EXPECT_EQ(closed["serviceTime"]["p50"], 70);

  result.rate.emplace();
  result.warmup->service_time.record(60);
  EXPECT_EQ(warmup_json(result)["serviceTime"]["p50"], 60);
}

TEST(ResultJson, TellsResponseTimeFromServiceTimeInAnOpenLoop) {
  RunResult result = open_run();
  result.series.push_back({3'000'000'000, 1'000'000'000});
  result.series[0].planned = 50;
  result.series[0].dropped = 2;
  const Json json = result_json(result);
  EXPECT_EQ(json["loop"], "open");
  EXPECT_EQ(json["latency"]["max"], 900);
  EXPECT_EQ(json["serviceTime"]["max"], 600);
  EXPECT_EQ(json["series"][0]["second"], 3);
  EXPECT_EQ(json["series"][0]["planned"], 50);
  EXPECT_EQ(json["series"][0]["dropped"], 2);
}

TEST(ResultJson, HasTheVerdictWithItsReasons) {
  const RunResult result = open_run();
  const Verdict verdict = judge(result);
  ASSERT_FALSE(verdict.reasons.empty());  // 388 of 400 requests is far off the rate
  const Json json = result_json(result)["verdict"];
  EXPECT_EQ(json["state"], std::string(verdict_name(verdict.state)));
  ASSERT_EQ(json["reasons"].size(), verdict.reasons.size());
  EXPECT_EQ(json["reasons"][0].dump(),
            Json({{"code", verdict.reasons[0].code}, {"text", verdict.reasons[0].text}}).dump());
}

TEST(LatencyJson, TellsHowSureThePercentilesAre) {
  RunResult result;
  for (int i = 1; i <= 10'000; ++i) result.latency.record(int64_t{i} * 1'000);
  result.intervals = {{0, 1'000'000'000, stats::encode_histogram(result.latency), ""}};
  const Json json = latency_json(result);
  EXPECT_EQ(json["n"], 10'000);
  EXPECT_EQ(json["designEffect"]["p50"], 1);
  ASSERT_EQ(json["interval95"]["p50"].size(), 2U);
  EXPECT_NEAR(json["interval95"]["p50"][0].get<double>(), 4'902'000, 6'000);
  EXPECT_NEAR(json["interval95"]["p50"][1].get<double>(), 5'098'000, 6'000);
  EXPECT_TRUE(json["interval95"]["p99_9"].is_array());
  EXPECT_TRUE(json["interval95"]["p99_99"].is_null());
}

TEST(LatencyJson, DoesNotSayHowSureItIsWithoutIntervals) {
  RunResult result;
  result.latency.record_many(1'000, 10'000);
  const Json json = latency_json(result);
  EXPECT_EQ(json["n"], 10'000);
  EXPECT_EQ(json["p50"], 1'000);
  EXPECT_TRUE(json["designEffect"]["p50"].is_null());
  EXPECT_TRUE(json["interval95"]["p50"].is_null());
}

TEST(LatencyJson, IsNullWithoutSamples) {
  const Json json = latency_json(RunResult());
  EXPECT_EQ(json["n"], 0);
  EXPECT_TRUE(json["designEffect"]["p50"].is_null());
  EXPECT_TRUE(json["interval95"]["p50"].is_null());
}

TEST(HealthJson, TellsWhatTheSystemDidNotByNull) {
  RunResult result;
  result.workers.resize(1);
  result.workers[0].wall_ns = 9;
  result.workers[0].cpu_ns = 8;
  result.workers[0].spin_ns = 7;
  result.workers[0].run_delay_ns = 0;
  result.host.cores = 2;
  result.host.retransmits = 5;
  Json json = health_json(result);
  EXPECT_EQ(json["workers"][0]["turns"]["count"], 0);
  json["workers"][0].erase("turns");
  EXPECT_EQ(json.dump(),
            R"({"workers":[{"wall":9,"cpu":8,"spin":7,"runDelay":0,"involuntarySwitches":null}],)"
            R"("host":{"steal":null,"throttled":null,"retransmits":5,"segmentsSent":null,)"
            R"("cores":2,"descriptors":0,"descriptorLimit":0,"localPorts":null}})");
}

}  // namespace
}  // namespace carronade::report
