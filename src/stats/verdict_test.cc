#include "carronade/verdict.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/verdict_test_support.h"

namespace carronade::stats {
namespace {

TEST(Verdict, Names) {
  EXPECT_EQ(verdict_name(VerdictState::kValid), "valid");
  EXPECT_EQ(verdict_name(VerdictState::kSuspect), "suspect");
  EXPECT_EQ(verdict_name(VerdictState::kInvalid), "invalid");
}

TEST(Verdict, CleanRunsAreValid) {
  EXPECT_EQ(codes(clean_run()), "");
  EXPECT_EQ(codes(clean_open_loop()), "");
  EXPECT_EQ(judge(clean_open_loop()).state, VerdictState::kValid);
}

TEST(Verdict, WhatTheSystemDoesNotTellIsNoReason) {
  RunResult result = clean_open_loop();
  result.host = {};
  for (WorkerHealth& worker : result.workers) {
    worker.run_delay_ns = -1;
    worker.involuntary_switches = -1;
  }
  EXPECT_EQ(codes(result), "");
  result.workers.clear();
  EXPECT_EQ(codes(result), "");
}

TEST(Verdict, HeaviestFirst) {
  RunResult result = clean_open_loop();
  result.host.throttled_ns = kMs;
  result.rate->generator_late.record_many(5 * kMs, 200);
  EXPECT_EQ(codes(result), "!generator_late throttled");
  EXPECT_EQ(judge(result).state, VerdictState::kInvalid);
}

TEST(Verdict, NothingMeasured) {
  EXPECT_EQ(codes(RunResult()), "!nothing_measured");
  RunResult result = clean_run();
  result.answered = result.by_status[200] = 0;
  result.failed = result.sent;
  result.latency.reset();
  EXPECT_EQ(codes(result), "!nothing_measured");
  EXPECT_EQ(first_text(result), "none of 10,000 requests was answered: see the errors");
}

// Round trips are counted under status 0, which is no page of an error.
TEST(Verdict, WebSocketMessagesAreNotTakenForAnswersThatAreNot2xx) {
  for (RunResult result : {clean_run(), clean_open_loop()}) {
    result.websocket.emplace().handshakes_tried = result.websocket->handshakes_opened = 10;
    std::swap(result.by_status[200], result.by_status[0]);
    EXPECT_EQ(codes(result), "");
    result.websocket.reset();
    EXPECT_EQ(codes(result), "errors_mostly");
  }
}

TEST(Verdict, NothingMeasuredOnWebSockets) {
  RunResult result;
  result.websocket.emplace().handshakes_tried = 3;
  EXPECT_EQ(first_text(result),
            "no WebSocket was opened: see the errors, and check path and headers");
  result.websocket->handshakes_opened = 1;
  EXPECT_EQ(first_text(result), "no request was sent: see the errors, and check address and port");
  result.sent = result.failed = 2;
  EXPECT_EQ(first_text(result), "none of 2 messages was answered: see the errors");
}

TEST(Verdict, GeneratorLate) {
  RunResult result = clean_open_loop();
  Histogram& late = result.rate->generator_late;
  const auto late_by = [&](int64_t ns, uint64_t count) {
    late.reset();
    late.record_many(10'000, 10'000 - count);
    late.record_many(ns, count);
  };
  late_by(99'000, 200);  // of a median of 1 ms
  EXPECT_EQ(codes(result), "");
  late_by(110'000, 200);
  EXPECT_EQ(codes(result), "generator_late");
  late_by(990'000, 200);
  EXPECT_EQ(codes(result), "generator_late");
  late_by(1'010'000, 200);
  EXPECT_EQ(codes(result), "!generator_late");
  EXPECT_EQ(first_text(result),
            "this program sent requests late, 1 % of them by 1.01 ms or more (limit 1 ms): give it "
            "a core of its own, more workers (-w) or a lower rate");
  late_by(1'010'000, 99);  // not one in a hundred
  EXPECT_EQ(codes(result), "");
}

TEST(Verdict, LittleLatenessBesideAFastServer) {
  RunResult result = clean_open_loop();
  result.latency.reset();
  result.latency.record_many(80'000, 10'000);
  result.rate->generator_late.record_many(48'000, 1000);
  EXPECT_EQ(codes(result), "");
  result.rate->generator_late.record_many(53'000, 1000);
  EXPECT_EQ(codes(result), "generator_late");
}

TEST(Verdict, OneLateRequestOfAFewIsAnAccident) {
  RunResult result = clean_open_loop();
  Histogram& late = result.rate->generator_late;
  late.reset();
  late.record_many(10'000, 20);
  late.record(3 * kMs);
  EXPECT_EQ(codes(result), "");
  late.record(3 * kMs);
  EXPECT_EQ(codes(result), "!generator_late");
}

TEST(Verdict, RateMissed) {
  RunResult result = clean_open_loop();
  result.rate->sent_in_time = 9950;
  EXPECT_EQ(codes(result), "");
  result.rate->sent_in_time = 9949;
  EXPECT_EQ(codes(result), "!rate_missed");
  EXPECT_EQ(first_text(result).substr(0, 61),
            "51 of 10,000 requests due (0.51 %) were not sent in time, and");
  // One request is no share.
  result.rate->planned = 10;
  result.rate->sent_in_time = 9;
  EXPECT_EQ(codes(result), "");
  result.rate->sent_in_time = 8;
  EXPECT_EQ(codes(result), "!rate_missed");
}

TEST(Verdict, NoConnectionFree) {
  RunResult result = clean_open_loop();
  result.rate->sent_in_time = 9000;
  result.rate->refused = 300;
  result.rate->unsent = 600;
  EXPECT_EQ(codes(result), "!rate_missed");  // 100 have no excuse
  result.rate->no_connection.record_many(50 * kMs, 60);
  EXPECT_EQ(codes(result), "no_connection_free");  // 40 of 10,000 are none too many
  EXPECT_EQ(first_text(result),
            "1,000 of 10,000 requests due (10.0 %) were not sent in time: the server kept all 10 "
            "connections busy; raise -c or --max-connections, or take this rate as more than it "
            "can serve");
  result.errors.push_back({ErrorKind::kConnectRefused, Phase::kConnect, "", 80, 0});
  EXPECT_EQ(codes(result), "no_connection_free");
  EXPECT_EQ(first_text(result),
            "1,000 of 10,000 requests due (10.0 %) were not sent in time: no connection was there "
            "for them, 80 could not be made: see the errors");
  result.errors.push_back({ErrorKind::kProxyRefused, Phase::kProxy, "", 7, 0});
  result.errors.push_back({ErrorKind::kUpgradeRefused, Phase::kUpgrade, "", 3, 0});
  EXPECT_NE(first_text(result).find("90 could not be made"), std::string::npos);
}

TEST(Verdict, GapsOff) {
  RunResult result = clean_open_loop();
  Histogram& sent = result.rate->sent_gaps;
  const auto off = [&](int64_t ns, uint64_t count) {
    sent.reset();
    sent.record_many(kMs, 9999 - count);
    sent.record_many(ns, count);
  };
  off(2 * kMs, 490);  // 4.9 %
  EXPECT_EQ(codes(result), "");
  off(2 * kMs, 510);
  EXPECT_EQ(codes(result), "gaps_off");
  off(kMs + 95'000, 9999);  // the tolerance is a tenth of 1 ms
  EXPECT_EQ(codes(result), "");
  off(kMs + 110'000, 9999);
  EXPECT_EQ(codes(result), "gaps_off");
}

TEST(Verdict, ConnectionsShort) {
  RunResult result = clean_run();
  result.connections_peak = 9;
  EXPECT_EQ(codes(result), "connections_short");
  RunResult open = clean_open_loop();
  open.connections_peak = open.connections_opened = 9;
  EXPECT_EQ(codes(open), "connections_short");
}

TEST(Verdict, TooFewSamples) {
  RunResult result = clean_run();
  result.latency.reset();
  result.latency.record_many(kMs, 368);
  EXPECT_EQ(codes(result), "");
  result.latency.reset();
  result.latency.record_many(kMs, 367);
  EXPECT_EQ(codes(result), "too_few_samples");
  EXPECT_EQ(first_text(result),
            "367 answers are too few for a bound on the p99, which takes 368: run longer (-d) or "
            "send more (-a)");
}

TEST(Verdict, ErrorsMostly) {
  RunResult result = clean_run();
  result.by_status[200] = 5000;
  result.by_status[404] = 5000;
  EXPECT_EQ(codes(result), "");
  result.by_status[200] = 4999;
  result.by_status[404] = 5001;
  EXPECT_EQ(codes(result), "errors_mostly");
  result = clean_run();
  result.failed = 6000;
  result.timed_out = 4000;
  result.sent = 20'000;
  EXPECT_EQ(codes(result), "");
  result.timed_out = 4001;
  EXPECT_EQ(codes(result), "errors_mostly");
}

TEST(Verdict, NotSteadyClosedLoop) {
  RunResult result = clean_run();
  const auto drift = [&](double share) {
    for (size_t i = 0; i < result.series.size(); ++i) {
      result.series[i].answered =
          static_cast<uint64_t>(1000 * (1 - share * static_cast<double>(i) / 9));
    }
  };
  drift(0.08);
  EXPECT_EQ(codes(result), "");
  drift(0.2);
  EXPECT_EQ(codes(result), "not_steady");
  EXPECT_EQ(first_text(result).substr(0, 47), "the request rate fell by 22 % over the run: fin");
  result.elapsed_ns = 10 * kSecond - 1;
  EXPECT_EQ(codes(result), "");
  result.elapsed_ns = 10 * kSecond;
  for (size_t i = 0; i < result.series.size(); ++i) result.series[i].connections = 20 - i;
  EXPECT_EQ(codes(result), "");  // fewer connections, by plan
}

TEST(Verdict, WanderingClosedLoop) {
  RunResult result = clean_run();
  result.series.resize(60, result.series.front());
  const auto swing = [&](double share) {
    for (size_t i = 0; i < result.series.size(); ++i) {
      const double phase = static_cast<double>(i) * M_PI / 10;
      result.series[i].answered = static_cast<uint64_t>(1000 * (1 + share * std::sin(phase)));
    }
  };
  swing(0.04);
  EXPECT_EQ(codes(result), "");
  swing(0.1);
  EXPECT_EQ(codes(result), "not_steady");
  EXPECT_EQ(first_text(result).substr(0, 37), "the request rate wandered over a rang");
}

TEST(Verdict, NotSteadyOpenLoop) {
  RunResult result = clean_open_loop();
  for (size_t i = 0; i < result.series.size(); ++i) {
    result.series[i].p50_ns = kMs + static_cast<int64_t>(i) * 100'000;
  }
  EXPECT_EQ(codes(result), "not_steady");
  EXPECT_EQ(first_text(result).substr(0, 27), "the median latency rose by ");
  RunResult staged = result;
  staged.rate->stages.resize(2);
  EXPECT_EQ(codes(staged), "");
  RunResult ramp = result;
  for (size_t i = 0; i < ramp.series.size(); ++i) ramp.series[i].planned = 100 * (i + 1);
  EXPECT_EQ(codes(ramp), "");
  result.rate->load_ns = 9 * kSecond;  // nine windows of load are too few
  EXPECT_EQ(codes(result), "");
}

}  // namespace
}  // namespace carronade::stats
