#include <gtest/gtest.h>

#include "stats/verdict_test_support.h"

namespace carronade::stats {
namespace {

TEST(VerdictOnTheMachine, WorkerBusy) {
  RunResult result = clean_run();
  WorkerHealth& worker = result.workers[1];
  worker.cpu_ns = 8 * kSecond;
  EXPECT_EQ(codes(result), "");
  worker.cpu_ns = 8 * kSecond + 10 * kMs;
  EXPECT_EQ(codes(result), "worker_busy");
  EXPECT_NE(first_text(result).find("this client may be the limit"), std::string::npos);
  worker.spin_ns = 20 * kMs;
  EXPECT_EQ(codes(result), "");
  worker = {};
  worker.wall_ns = worker.cpu_ns = 90 * kMs;  // too short to be judged
  EXPECT_EQ(codes(result), "");
  RunResult open = clean_open_loop();
  open.workers[0].cpu_ns = 9 * kSecond;
  EXPECT_EQ(codes(open), "worker_busy");
  EXPECT_EQ(first_text(open).find("this client may be the limit"), std::string::npos);
}

TEST(VerdictOnTheMachine, RunQueue) {
  RunResult result = clean_run();
  WorkerHealth& worker = result.workers[0];
  worker.run_delay_ns = 500 * kMs;  // 5 % of the time
  EXPECT_EQ(codes(result), "");
  worker.run_delay_ns = 501 * kMs;
  EXPECT_EQ(codes(result), "run_queue");
  EXPECT_EQ(first_text(result),
            "a worker thread waited 501 ms (5.0 % of the run) for a core, and was taken off it 12 "
            "times: other programs wanted it; stop them, or pin this one to a core of its own "
            "(taskset)");
  worker.run_delay_ns = 110 * kMs;  // little, but much for one that works little
  worker.cpu_ns = 200 * kMs;
  EXPECT_EQ(codes(result), "run_queue");
  worker.run_delay_ns = 99 * kMs;
  EXPECT_EQ(codes(result), "");
}

TEST(VerdictOnTheMachine, OwnStall) {
  RunResult result = clean_run();
  Histogram& turns = result.workers[0].turns;
  turns.record(9 * kMs);
  EXPECT_EQ(codes(result), "");
  turns.record(9 * kMs);
  EXPECT_EQ(codes(result), "");
  result.elapsed_ns = 60 * kSecond;  // the p99 of 2 ms allows 20 ms
  turns.record(19 * kMs);
  EXPECT_EQ(codes(result), "");
  turns.record(25 * kMs);
  EXPECT_EQ(codes(result), "own_stall");
  EXPECT_EQ(first_text(result),
            "this program stood still once longer than 20.0 ms, at most 25.0 ms: the slowest "
            "answers may be its own doing; give it a core of its own");
  result.workers[0].wall_ns = 60 * kSecond;  // 25 ms of a minute touch no p99.9
  EXPECT_EQ(codes(result), "");
  turns.record_many(25 * kMs, 2);
  EXPECT_EQ(codes(result), "own_stall");
}

TEST(VerdictOnTheMachine, Steal) {
  RunResult result = clean_run();
  result.host.steal_ns = 400 * kMs;  // of two cores for 10 s
  EXPECT_EQ(codes(result), "");
  result.host.steal_ns = 401 * kMs;
  EXPECT_EQ(codes(result), "steal");
}

TEST(VerdictOnTheMachine, Throttled) {
  RunResult result = clean_run();
  result.host.throttled_ns = 1;
  EXPECT_EQ(codes(result), "throttled");
}

TEST(VerdictOnTheMachine, Retransmits) {
  RunResult result = clean_run();
  result.host.retransmits = 100;  // of 100,000
  EXPECT_EQ(codes(result), "");
  result.host.retransmits = 101;
  EXPECT_EQ(codes(result), "retransmits");
  result.host = {0, 0, 10, 50, 2, 40, 1024, 28'000};
  EXPECT_EQ(codes(result), "");
  result.host.retransmits = 11;
  EXPECT_EQ(codes(result), "retransmits");
  result.host.segments_sent = -1;
  EXPECT_EQ(codes(result), "");
}

TEST(VerdictOnTheMachine, Descriptors) {
  RunResult result = clean_run();
  result.host.descriptors = 900;
  result.host.descriptor_limit = 1000;
  EXPECT_EQ(codes(result), "");
  result.host.descriptors = 901;
  EXPECT_EQ(codes(result), "descriptors");
  result.host.descriptors = 5;
  result.errors.push_back({ErrorKind::kOutOfDescriptors, Phase::kConnect, "", 3, 0});
  EXPECT_EQ(codes(result), "descriptors");
}

TEST(VerdictOnTheMachine, LocalPorts) {
  RunResult result = clean_run();
  result.connections_asked = result.connections_peak = 25'200;
  EXPECT_EQ(codes(result), "");
  result.connections_asked = result.connections_peak = 25'201;
  EXPECT_EQ(codes(result), "local_ports");
  result.addresses = {"10.0.0.1:80", "[2001:db8::1]:80"};  // two destinations
  EXPECT_EQ(codes(result), "");
  result.addresses = {"127.0.0.1:80"};  // the run takes further addresses there
  EXPECT_EQ(codes(result), "");
  result.addresses = {"/run/x.sock"};
  EXPECT_EQ(codes(result), "");
  result.errors.push_back({ErrorKind::kOutOfPorts, Phase::kConnect, "", 7, 0});
  EXPECT_EQ(codes(result), "local_ports");
}

}  // namespace
}  // namespace carronade::stats
