#include "carronade/host_recorder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "carronade/result_codec.h"

namespace carronade {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(HostRecorder, CountsWhatTheHostSays) {
  HostRecorder recorder({.amount = 5, .connections = 2});
  recorder.start();
  recorder.opened(false);
  const auto good = recorder.send();
  recorder.first_byte(good);
  EXPECT_TRUE(recorder.answered(good, {.status = 200, .body_bytes = 2, .wire_bytes = 90}));
  const auto bad = recorder.send();
  EXPECT_TRUE(recorder.answered(bad, {.status = 503, .body_bytes = 0, .wire_bytes = 50}));
  const auto lost = recorder.send();
  EXPECT_TRUE(recorder.failed(lost, ErrorKind::kConnectRefused, Phase::kConnect, "nobody"));
  const auto late = recorder.send();
  EXPECT_TRUE(recorder.failed(late, ErrorKind::kTimeout, Phase::kTimeout, "too late"));
  recorder.send();
  recorder.bytes_sent(300);
  recorder.closed();
  EXPECT_EQ(1u, recorder.in_flight());
  const Progress progress = recorder.progress();
  EXPECT_EQ(5u, progress.sent);
  EXPECT_EQ(2u, progress.answered);
  EXPECT_EQ(2u, progress.errors);
  EXPECT_EQ(0u, progress.connections);

  const RunResult result = recorder.finish(StoppedBy::kUser);
  EXPECT_TRUE(result.conserved());
  EXPECT_EQ(5u, result.planned);
  EXPECT_EQ(5u, result.sent);
  EXPECT_EQ(2u, result.answered);
  EXPECT_EQ(1u, result.failed);
  EXPECT_EQ(1u, result.timed_out);
  EXPECT_EQ(1u, result.in_flight);
  EXPECT_EQ(1u, result.by_status[200]);
  EXPECT_EQ(1u, result.by_status[503]);
  EXPECT_EQ(2u, result.latency.count());
  EXPECT_LE(result.first_byte.max(), result.latency.max());
  EXPECT_EQ(140u, result.bytes_received);
  EXPECT_EQ(2u, result.bytes_body);
  EXPECT_EQ(300u, result.bytes_sent);
  EXPECT_EQ(1u, result.connections_opened);
  EXPECT_EQ(2u, result.errors.size());
  EXPECT_EQ(StoppedBy::kUser, result.stopped_by);
  EXPECT_EQ(1u, result.workers.size());
  EXPECT_TRUE(decode_result(encode_result(result)));
}

TEST(HostRecorder, ARequestEndsOnce) {
  HostRecorder recorder({});
  recorder.start();
  const auto ticket = recorder.send();
  EXPECT_TRUE(recorder.failed(ticket, ErrorKind::kTimeout, Phase::kTimeout, "too late"));
  EXPECT_FALSE(recorder.answered(ticket, {.status = 200}));
  EXPECT_FALSE(recorder.failed(ticket, ErrorKind::kTimeout, Phase::kTimeout, "again"));
  // The slot is used again, and the old ticket is still over.
  const auto next = recorder.send();
  EXPECT_NE(ticket, next);
  EXPECT_FALSE(recorder.answered(ticket, {.status = 200}));
  EXPECT_EQ(0, recorder.age_ns(ticket));
  EXPECT_TRUE(recorder.answered(next, {.status = 204}));
  EXPECT_FALSE(recorder.answered(0, {.status = 200}));
  EXPECT_FALSE(recorder.answered(UINT64_MAX, {.status = 200}));
  const RunResult result = recorder.finish(StoppedBy::kDuration);
  EXPECT_EQ(2u, result.sent);
  EXPECT_EQ(1u, result.answered);
  EXPECT_EQ(1u, result.timed_out);
  EXPECT_EQ(0u, result.planned);
}

TEST(HostRecorder, TicketsFitIntoADoubleAndDiffer) {
  HostRecorder recorder({});
  recorder.start();
  std::vector<HostRecorder::Ticket> open;
  std::mt19937 random(1);
  HostRecorder::Ticket last = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto ticket = recorder.send();
    ASSERT_NE(0u, ticket);
    ASSERT_NE(last, ticket);
    ASSERT_LT(ticket, uint64_t{1} << 53);
    last = ticket;
    open.push_back(ticket);
    if (random() % 3 == 0) continue;
    const size_t place = random() % open.size();
    ASSERT_TRUE(recorder.answered(open[place], {.status = 200}));
    open[place] = open.back();
    open.pop_back();
  }
  EXPECT_EQ(open.size(), recorder.in_flight());
  EXPECT_TRUE(recorder.finish(StoppedBy::kDuration).conserved());
}

TEST(HostRecorder, AnOpenLoopSaysWhatIsDueAndMeasuresFromThere) {
  HostRecorder recorder({.amount = 20, .rate = 1000});
  recorder.start();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));  // all 20 are due
  for (int i = 0; i < 19; ++i) {
    ASSERT_LE(recorder.next_due_in_ns(), 0);
    ASSERT_TRUE(recorder.answered(recorder.send(), {.status = 200}));
  }
  recorder.refuse_due();
  EXPECT_EQ(INT64_MAX, recorder.next_due_in_ns());
  recorder.refuse_due();  // nothing is due any more
  EXPECT_EQ(0u, recorder.send());
  const RunResult result = recorder.finish(StoppedBy::kAmount);
  ASSERT_TRUE(result.rate);
  EXPECT_EQ(20u, result.planned);
  EXPECT_EQ(19u, result.sent);
  EXPECT_EQ(1u, result.dropped);
  EXPECT_EQ(1u, result.rate->refused);
  // The first was due 30 ms ago at least, and the service took no time.
  EXPECT_GE(result.latency.max(), 30'000'000 - 30'000);
  EXPECT_LT(result.rate->service_time.min(), result.latency.max());
  EXPECT_EQ(19u, result.rate->generator_late.count());
}

TEST(HostRecorder, WhatWasDueAndNeverSentIsDropped) {
  HostRecorder recorder({.rate = 1000, .load_ns = 10'000'000});
  recorder.start();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto ticket = recorder.send();
  const RunResult result = recorder.finish(StoppedBy::kDuration);
  EXPECT_EQ(10u, result.planned);
  EXPECT_EQ(1u, result.sent);
  EXPECT_EQ(9u, result.dropped);
  EXPECT_EQ(9u, result.rate->unsent);
  EXPECT_EQ(1u, result.in_flight);
  EXPECT_FALSE(recorder.answered(ticket, {.status = 200}));
  EXPECT_EQ(0u, recorder.send());
}

TEST(HostRecorder, ARunOfNothing) {
  HostRecorder recorder({.amount = 3});
  recorder.start();
  recorder.closed();
  const RunResult result = recorder.finish(StoppedBy::kUser);
  EXPECT_TRUE(result.conserved());
  EXPECT_EQ(3u, result.planned);
  EXPECT_EQ(3u, result.dropped);
  EXPECT_LT(result.elapsed_ns, 60 * kSecond);
  EXPECT_EQ(INT64_MAX, recorder.next_due_in_ns());
}

}  // namespace
}  // namespace carronade
