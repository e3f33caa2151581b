#include "report/result_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace carronade::report {
namespace {

using Json = nlohmann::ordered_json;

TEST(HistogramJson, HasTheExactFiguresInNanoseconds) {
  Histogram histogram;
  histogram.record(100);
  histogram.record(300);
  const Json json = histogram_json(histogram);
  EXPECT_EQ(json["count"], 2);
  EXPECT_EQ(json["min"], 100);
  EXPECT_EQ(json["max"], 300);
  EXPECT_EQ(json["mean"], 200);
  EXPECT_EQ(json["stddev"], 100);
  EXPECT_EQ(json["p50"], 100);
  EXPECT_EQ(json["p99_999"], 300);
  EXPECT_EQ(json.size(), 5U + 16U);
}

TEST(HistogramJson, IsNullWithoutSamples) {
  const Json json = histogram_json(Histogram());
  for (const auto& [key, value] : json.items()) {
    if (key == "count") {
      EXPECT_EQ(value, 0);
    } else {
      EXPECT_TRUE(value.is_null()) << key;
    }
  }
}

TEST(NumberJson, WritesWholeNumbersWithoutFraction) {
  EXPECT_EQ(number_json(10).dump(), "10");
  EXPECT_EQ(number_json(-3).dump(), "-3");
  EXPECT_EQ(number_json(0.25).dump(), "0.25");
  EXPECT_EQ(number_json(std::nan("")).dump(), "null");
  EXPECT_EQ(number_json(std::numeric_limits<double>::infinity()).dump(), "null");
}

TEST(ResultJson, TellsWhatIsUnknownByNull) {
  RunResult result;
  result.series.push_back({});
  const Json json = result_json(result);
  EXPECT_EQ(json["schema"], kResultSchema);
  EXPECT_EQ(json["loop"], "closed");
  EXPECT_TRUE(json["requests"]["planned"].is_null());
  EXPECT_TRUE(json["series"][0]["p50"].is_null());
  EXPECT_TRUE(json["series"][0]["planned"].is_null());
  EXPECT_TRUE(json["latency"]["mean"].is_null());
  EXPECT_EQ(json["errors"], Json::array());
  EXPECT_EQ(json["addresses"], Json::array());
}

TEST(ResultJson, NamesErrorsAndWhoseFaultTheyAre) {
  RunResult result;
  result.errors = {{ErrorKind::kConnectRefused, Phase::kConnect, "connect 127.0.0.1:9: x", 7},
                   {ErrorKind::kOutOfDescriptors, Phase::kConnect, "connect: y", 2}};
  const Json json = result_json(result);
  EXPECT_EQ(json["errors"][0]["kind"], std::string(error_kind_name(ErrorKind::kConnectRefused)));
  EXPECT_EQ(json["errors"][0]["phase"], std::string(phase_name(Phase::kConnect)));
  EXPECT_EQ(json["errors"][0]["side"], "server");
  EXPECT_EQ(json["errors"][0]["text"], "connect 127.0.0.1:9: x");
  EXPECT_EQ(json["errors"][0]["count"], 7);
  EXPECT_EQ(json["errors"][1]["side"], "this_machine");
}

TEST(ResultJson, CountsAreTheResultsOwn) {
  RunResult result;
  result.planned = 20;
  result.sent = 15;
  result.answered = 10;
  result.failed = 2;
  result.timed_out = 2;
  result.in_flight = 1;
  result.retried = 3;
  result.dropped = 5;
  result.mismatched = 4;
  result.tls_resumed = 6;
  const Json json = result_json(result);
  EXPECT_EQ(json["requests"].dump(),
            R"({"planned":20,"sent":15,"answered":10,"failed":2,"timedOut":2,"retried":3,)"
            R"("dropped":5,"inFlight":1,"mismatched":4})");
  EXPECT_EQ(json["tls"].dump(), R"({"resumed":6})");
}

TEST(ResultJson, HasWhatWebSocketsFound) {
  RunResult result;
  EXPECT_TRUE(result_json(result)["websocket"].is_null());
  result.websocket.emplace();
  EXPECT_EQ(result_json(result)["websocket"].dump(),
            R"({"handshakes":{"tried":0,"opened":0,"refused":{}},)"
            R"("messages":{"text":0,"binary":0,"unasked":0},"pings":0,"pongs":0,"closes":{}})");
  result.websocket = {.handshakes_tried = 9,
                      .handshakes_opened = 5,
                      .refused_by_status = {{404, 3}, {503, 1}},
                      .text_messages = 20,
                      .binary_messages = 10,
                      .unasked_messages = 2,
                      .pings = 6,
                      .pongs = 7,
                      .closes_by_code = {{1000, 4}, {1005, 1}}};
  EXPECT_EQ(result_json(result)["websocket"].dump(),
            R"({"handshakes":{"tried":9,"opened":5,"refused":{"404":3,"503":1}},)"
            R"("messages":{"text":20,"binary":10,"unasked":2},"pings":6,"pongs":7,)"
            R"("closes":{"1000":4,"1005":1}})");
}

TEST(DumpJson, IsOneLineAndSurvivesBytesThatAreNotUtf8) {
  const std::string text = dump_json(Json{{"a", "x\xff\n"}});
  EXPECT_EQ(text, "{\"a\":\"x\xef\xbf\xbd\\n\"}");
}

}  // namespace
}  // namespace carronade::report
