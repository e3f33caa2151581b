// Whole runs over a changing number of connections, against a scripted server.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "carronade/run.h"
#include "scripted_peer.h"

namespace carronade {
namespace {

using test::ScriptedPeer;

constexpr int64_t kSecond = 1'000'000'000;
const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

void answer_all(ScriptedPeer::Talk& talk) {
  while (!talk.read_request().empty()) talk.send(kOk);
}

RunSpec spec_for(uint16_t port) {
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:" + std::to_string(port) + "/"), {}});
  spec.timeout_ns = 5 * kSecond;
  return spec;
}

TEST(RunLevels, AnAmountEndsThemSooner) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port());
  spec.connections = 4;
  spec.connection_stages = {{4, 4, 60 * kSecond}};
  spec.amount = 50;
  auto run = Run::create(spec, nullptr);
  ASSERT_TRUE(run) << run.error().text;
  const RunResult result = (*run)->execute();
  EXPECT_EQ(result.answered, 50u);
  EXPECT_EQ(result.stopped_by, StoppedBy::kAmount);
  EXPECT_LT(result.elapsed_ns, 30 * kSecond);
}

TEST(RunLevels, ATargetWithoutAnAddressStaysOut) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port());
  spec.targets.push_back({*parse_url("http://nowhere.invalid/"), {}});
  spec.connections = 4;
  const int64_t part_ns = kSecond / 10;
  spec.connection_stages = {{4, 4, part_ns}, {0, 0, part_ns}, {4, 4, part_ns}};
  auto run = Run::create(spec, nullptr);
  ASSERT_TRUE(run) << run.error().text;
  const RunResult result = (*run)->execute();
  EXPECT_TRUE(result.conserved());
  EXPECT_GT(result.answered, 0u);
  EXPECT_EQ(result.connections_peak, 2u);
}

TEST(RunLevels, TheNumberOfBusyConnectionsFollowsTheStages) {
  std::atomic<int> busy{0};
  std::atomic<int> most{0};
  ScriptedPeer peer([&](ScriptedPeer::Talk& talk) {
    while (!talk.read_request().empty()) {
      const int now = ++busy;
      int seen = most;
      while (seen < now && !most.compare_exchange_weak(seen, now)) {
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      --busy;
      talk.send(kOk);
    }
  });
  RunSpec spec = spec_for(peer.port());
  spec.connections = 6;
  spec.workers = 2;
  spec.connection_stages = {
      {2, 2, kSecond / 5}, {2, 6, kSecond / 5}, {0, 0, kSecond / 5}, {4, 4, kSecond / 5}};
  auto run = Run::create(spec, nullptr);
  ASSERT_TRUE(run) << run.error().text;
  const RunResult result = (*run)->execute();
  EXPECT_TRUE(result.conserved());
  EXPECT_FALSE(result.open_loop());
  EXPECT_EQ(most, 6);
  EXPECT_EQ(result.connections_peak, 6u);
  EXPECT_EQ(result.connections_opened, 6u);  // kept open while they are parked
  EXPECT_EQ(result.error_total(), 0u);
  EXPECT_GE(result.elapsed_ns, 4 * kSecond / 5);
  EXPECT_EQ(result.stopped_by, StoppedBy::kDuration);
}

}  // namespace
}  // namespace carronade
