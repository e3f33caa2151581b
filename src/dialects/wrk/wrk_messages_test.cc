#include "dialects/wrk/wrk_messages.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carronade::dialects::wrk {
namespace {

constexpr int64_t kMs = 1'000'000;

// 1,000 requests were due and `in_time` of them were sent in time over 10 connections.
RunResult scheduled_run(uint64_t in_time) {
  RunResult result;
  result.elapsed_ns = 1'000 * kMs;
  result.sent = result.answered = in_time;
  result.planned = 1'000;
  result.by_status[200] = in_time;
  result.connections_peak = 10;
  result.latency.record_many(50 * kMs, in_time);
  RateResult& rate = result.rate.emplace();
  rate.planned = 1'000;
  rate.sent_in_time = in_time;
  rate.load_ns = result.elapsed_ns;
  rate.generator_late.record_many(1'000, in_time);
  return result;
}

TEST(WrkMessages, LinesOfLua) {
  EXPECT_EQ(script_message("x.lua:1: module 'm' not found:\n\tno file './m.lua'\n"),
            "x.lua:1: module 'm' not found:\n\tno file './m.lua'");
  EXPECT_EQ(script_message("a\x1b[31m\r\nb"), "a\\x1b[31m\\x0d\nb");
  EXPECT_EQ(script_message(""), "");
}

TEST(WrkMessages, RateThatWasKept) {
  EXPECT_EQ(wrk2_warnings(scheduled_run(1'000)), std::vector<std::string>{});
}

TEST(WrkMessages, ServerThatIsTooSlowIsSaidFirst) {
  RunResult result = scheduled_run(100);
  result.rate->unsent = 900;
  result.rate->generator_late.record_many(5 * kMs, 50);
  const std::vector<std::string> said = wrk2_warnings(result);
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0],
            "900 of 1,000 requests due (90.0 %) were not sent in time: the server kept all 10 "
            "connections busy: it cannot serve this rate, or needs more connections (-c) for it");
  EXPECT_TRUE(said[1].starts_with("this program sent requests late, 1 % of them by 5")) << said[1];
  EXPECT_TRUE(said[1].ends_with("more threads (-t) or a lower rate")) << said[1];
}

TEST(WrkMessages, ConnectionsThatCouldNotBeMade) {
  RunResult result = scheduled_run(100);
  result.rate->unsent = 900;
  result.errors = {
      {.kind = ErrorKind::kConnectRefused, .phase = Phase::kConnect, .text = "", .count = 7}};
  EXPECT_EQ(wrk2_warnings(result).at(0),
            "900 of 1,000 requests due (90.0 %) were not sent in time: no connection was there for "
            "them, 7 could not be made");
}

TEST(WrkMessages, OwnSlowness) {
  RunResult result = scheduled_run(400);
  EXPECT_EQ(wrk2_warnings(result).at(0),
            "600 of 1,000 requests due (60.0 %) were not sent in time: this program could not keep "
            "the rate: use more threads (-t), more cores or a lower rate");
  result.rate->unsent = 200;
  EXPECT_EQ(wrk2_warnings(result).at(0),
            "600 of 1,000 requests due (60.0 %) were not sent in time: for 200 of them the server "
            "kept all 10 connections busy: it cannot serve this rate, or needs more connections "
            "(-c) for it; for the others this program could not keep the rate: use more threads "
            "(-t), more cores or a lower rate");
}

TEST(WrkMessages, NoOptionOfAnotherTool) {
  RunResult result = scheduled_run(0);
  for (const std::string& line : wrk2_warnings(result)) {
    EXPECT_EQ(line.find("-w"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace carronade::dialects::wrk
