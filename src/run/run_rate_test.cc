// Whole runs at a rate, against a scripted server.
// Counts and bounds that hold on a loaded machine; how precise the times are is measured by
// bench/truth.
#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/clock.h"
#include "carronade/run.h"
#include "scripted_peer.h"

namespace carronade {
namespace {

using test::ScriptedPeer;

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1000 * kMs;
const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

void answer_all(ScriptedPeer::Talk& talk) {
  while (!talk.read_request().empty()) talk.send(kOk);
}
void stay_silent(ScriptedPeer::Talk& talk) {
  talk.read_request();
  talk.wait_for_close();
}

RateStage stage(double from, double to, int64_t duration_ns) {
  return {"stage", {{.from = from, .to = to, .duration_ns = duration_ns}}};
}

RunSpec spec_for(uint16_t port, double rate, int64_t duration_ns) {
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:" + std::to_string(port) + "/"), {}});
  spec.connections = 2;
  spec.timeout_ns = 5 * kSecond;
  spec.duration_ns = duration_ns;
  spec.rate.emplace();
  spec.rate->stages.push_back(stage(rate, rate, RateSegment::kEndless));
  return spec;
}

RunResult execute(RunSpec spec) {
  auto run = Run::create(std::move(spec), nullptr);
  EXPECT_TRUE(run) << run.error().text;
  RunResult result = (*run)->execute();
  EXPECT_TRUE(result.conserved());
  EXPECT_TRUE(result.open_loop());
  EXPECT_EQ(result.planned, result.sent + result.dropped);
  EXPECT_EQ(result.rate->generator_late.count(), result.sent);
  EXPECT_EQ(result.rate->no_connection.count(), result.sent);
  EXPECT_EQ(result.rate->service_time.count(), result.answered);
  EXPECT_EQ(result.latency.count(), result.answered);
  EXPECT_GE(result.latency.max(), result.rate->service_time.max());
  return result;
}

uint64_t sum(const std::vector<Window>& windows, uint64_t Window::*member) {
  uint64_t total = 0;
  for (const Window& window : windows) total += window.*member;
  return total;
}

TEST(RunRate, SendsThePlanForEveryMixOfRateConnectionsAndWorkers) {
  for (const double rate : {3.0, 40.0, 97.0, 1000.0}) {
    for (const uint32_t connections : {1u, 3u, 10u}) {
      for (const uint32_t workers : {1u, 2u, 8u}) {
        ScriptedPeer peer(answer_all);
        RunSpec spec = spec_for(peer.port(), rate, kSecond);
        spec.connections = connections;
        spec.workers = workers;
        // So many requests, and not a second of waiting for each.
        spec.rate->stages[0] = stage(rate * 10, rate * 10, kSecond / 10);
        spec.duration_ns.reset();
        const RunResult result = execute(spec);
        const auto plan = static_cast<uint64_t>(rate);
        ASSERT_EQ(result.planned, plan) << rate << " " << connections << " " << workers;
        ASSERT_EQ(result.answered, plan);
        ASSERT_EQ(peer.requests(), static_cast<int>(plan));
        ASSERT_EQ(result.stopped_by, StoppedBy::kDuration);
        ASSERT_GE(result.elapsed_ns, kSecond / 10);
        ASSERT_EQ(sum(result.series, &Window::planned), plan);
        ASSERT_EQ(result.workers.size(), std::min(workers, connections));
      }
    }
  }
}

TEST(RunRate, AnAmountEndsTheSchedule) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port(), 1000, 60 * kSecond);
  spec.amount = 50;
  spec.workers = 2;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.planned, 50u);
  EXPECT_EQ(peer.requests(), 50);
  EXPECT_EQ(result.stopped_by, StoppedBy::kAmount);
  EXPECT_EQ(result.rate->load_ns, 50 * kMs);
}

TEST(RunRate, ResponseTimeCountsFromTheDueTimeWhenTheServerStalls) {
  // One connection; the first answer takes 300 ms, the others none: 1 request every 10 ms waits.
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    bool first = true;
    while (!talk.read_request().empty()) {
      if (first) std::this_thread::sleep_for(std::chrono::milliseconds(300));
      first = false;
      talk.send(kOk);
    }
  });
  RunSpec spec = spec_for(peer.port(), 100, kSecond / 2);
  spec.connections = 1;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 50u);
  // The 29 that were due at 10 … 290 ms waited until 300 for want of a connection: those with the
  // ranks from 35 on for 130 ms and more.
  EXPECT_GE(result.latency.percentile(70), 100 * kMs);
  EXPECT_LT(result.rate->service_time.percentile(50), 100 * kMs);
  EXPECT_GE(result.rate->no_connection.percentile(70), 100 * kMs);
  EXPECT_GE(result.rate->no_connection.max(), 280 * kMs);
}

TEST(RunRate, WaitingForAConnectionIsNeverLaidAtOurOwnDoor) {
  // The last request is due at 150 ms and sent at 400 ms, with no other one due in between.
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    bool first = true;
    while (!talk.read_request().empty()) {
      if (first) std::this_thread::sleep_for(std::chrono::milliseconds(400));
      first = false;
      talk.send(kOk);
    }
  });
  RunSpec spec = spec_for(peer.port(), 20, kSecond / 5);
  spec.connections = 1;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 4u);
  EXPECT_GE(result.rate->no_connection.max(), 240 * kMs);
  EXPECT_GE(result.rate->no_connection.percentile(50), 200 * kMs);
  EXPECT_LT(result.rate->generator_late.percentile(50), 150 * kMs);
}

TEST(RunRate, DropsWhatFindsNoConnectionWhenAskedTo) {
  ScriptedPeer peer(stay_silent);
  RunSpec spec = spec_for(peer.port(), 100, kSecond / 2);
  spec.connections = 2;
  spec.timeout_ns = kSecond;
  spec.rate->overflow = Overflow::kDrop;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.planned, 50u);
  EXPECT_EQ(result.sent, 2u);
  EXPECT_EQ(result.timed_out, 2u);
  EXPECT_EQ(result.rate->refused, 48u);
  EXPECT_EQ(sum(result.series, &Window::dropped), 48u);
}

TEST(RunRate, OpensMoreConnectionsOnDemandUpToTheCap) {
  ScriptedPeer peer(stay_silent);
  RunSpec spec = spec_for(peer.port(), 200, kSecond / 5);
  spec.connections = 1;
  spec.workers = 2;  // never more than the connections at the start
  spec.timeout_ns = kSecond;
  spec.rate->max_connections = 7;
  spec.rate->overflow = Overflow::kDrop;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.sent, 7u);
  EXPECT_EQ(result.connections_peak, 7u);
  EXPECT_EQ(result.planned, 40u);
}

TEST(RunRate, TheBacklogHasACap) {
  ScriptedPeer peer(stay_silent);
  RunSpec spec = spec_for(peer.port(), 500, kSecond / 5);
  spec.connections = 1;
  spec.timeout_ns = kSecond / 2;
  spec.rate->max_backlog = 10;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.planned, 100u);
  EXPECT_EQ(result.rate->refused + result.rate->unsent + result.sent, 100u);
  EXPECT_GE(result.rate->refused, 85u);
}

TEST(RunRate, ADeadServerEndsTheRunWithinTheTimeoutOfItsEnd) {
  RunSpec spec = spec_for(1, 100, kSecond / 5);
  spec.timeout_ns = kSecond / 2;
  const int64_t before_ns = base::now_ns();
  const RunResult result = execute(spec);
  EXPECT_LT(base::now_ns() - before_ns, 3 * kSecond);
  EXPECT_EQ(result.planned, 20u);
  EXPECT_EQ(result.sent, 0u);
  EXPECT_EQ(result.rate->unsent, 20u);
  EXPECT_GT(result.error_total(), 0u);
}

TEST(RunRate, GoesOnOverServersThatCloseAfterEachAnswer) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    if (!talk.read_request().empty()) talk.send(kOk);
  });
  RunSpec spec = spec_for(peer.port(), 100, kSecond / 2);
  spec.connections = 3;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 50u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(RunRate, PipelinesWhenConnectionsAreFewerThanRequests) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port(), 2000, kSecond / 2);
  spec.connections = 2;
  spec.pipelining = 8;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 1000u);
  EXPECT_EQ(peer.requests(), 1000);
}

TEST(RunRate, EachStageHasItsFigures) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port(), 1, kSecond);
  spec.duration_ns.reset();
  spec.workers = 2;
  spec.rate->stages = {stage(100, 100, kSecond / 5), stage(100, 300, kSecond / 5),
                       stage(0, 0, kSecond / 10)};
  const RunResult result = execute(spec);
  ASSERT_EQ(result.rate->stages.size(), 3u);
  EXPECT_EQ(result.rate->stages[0].planned, 20u);
  EXPECT_EQ(result.rate->stages[1].planned, 40u);
  EXPECT_EQ(result.rate->stages[1].answered, 40u);
  EXPECT_EQ(result.rate->stages[1].latency.count(), 40u);
  EXPECT_EQ(result.rate->stages[2].planned, 0u);
  EXPECT_EQ(result.rate->stages[2].width_ns, kSecond / 10);
  EXPECT_EQ(result.planned, 60u);
}

TEST(RunRate, AStopEndsItAtOnceAndKeepsTheAccount) {
  ScriptedPeer peer(stay_silent);
  auto run = Run::create(spec_for(peer.port(), 1000, 60 * kSecond), nullptr);
  ASSERT_TRUE(run);
  EXPECT_EQ((*run)->expected_requests(), 60'000);
  (*run)->start();
  while (peer.requests() < 2) std::this_thread::yield();
  (*run)->stop();
  const RunResult result = (*run)->wait();
  EXPECT_EQ(result.stopped_by, StoppedBy::kUser);
  EXPECT_TRUE(result.conserved());
  EXPECT_EQ(result.sent, 2u);
  EXPECT_EQ(result.in_flight, 2u);
  EXPECT_EQ(result.planned, 2 + result.rate->unsent);
  EXPECT_LE(result.rate->load_ns, result.elapsed_ns);
}

TEST(RunRate, CanBeDrivenByAHost) {
  ScriptedPeer peer(answer_all);
  auto run = Run::create(spec_for(peer.port(), 200, kSecond / 4), nullptr);
  ASSERT_TRUE(run);
  (*run)->open();
  while (!(*run)->finished()) {
    pollfd waiting{(*run)->poll_fd(), POLLIN, 0};
    ASSERT_EQ(poll(&waiting, 1, 5000), 1);
    (*run)->turn();
  }
  const RunResult result = (*run)->result();
  EXPECT_EQ(result.planned, 50u);
  EXPECT_EQ(result.answered, 50u);
}

TEST(RunRate, AnIdleConnectionComesBeforeOneThatIsBusy) {
  // The first request blocks its connection until all the others have been read, and none of them
  // is read behind it. Each could have a connection of its own, however many are due at once.
  constexpr int kOthers = 9;
  std::atomic<bool> first{true};
  std::atomic<int> others{0};
  std::atomic<bool> all_came{false};
  ScriptedPeer peer([&](ScriptedPeer::Talk& talk) {
    while (!talk.read_request().empty()) {
      if (first.exchange(false)) {
        for (int turn = 0; turn < 400 && others < kOthers; ++turn) {
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        all_came = others == kOthers;
      } else {
        ++others;
      }
      talk.send(kOk);
    }
  });
  RunSpec spec = spec_for(peer.port(), 20, kSecond / 2);
  spec.connections = kOthers + 1;
  spec.pipelining = 2;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 10u);
  EXPECT_TRUE(all_came);
}

TEST(RunRate, AnAmountOfPoissonArrivalsIsExact) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    ScriptedPeer peer(answer_all);
    RunSpec spec = spec_for(peer.port(), 1000, kSecond);
    spec.duration_ns.reset();
    spec.amount = 100;
    spec.rate->arrivals = Arrivals::kPoisson;
    spec.rate->seed = seed;
    spec.workers = 2;
    const RunResult result = execute(spec);
    EXPECT_EQ(result.planned, 100u);
    EXPECT_EQ(result.answered, 100u);
    EXPECT_EQ(result.stopped_by, StoppedBy::kAmount);
  }
}

TEST(RunRate, AStopBeforeTheScheduleBeganLeavesNoLoad) {
  // A full backlog keeps the connections from being made, and the schedule from its start.
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 0), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  RunSpec spec = spec_for(ntohs(address.sin_port), 100, 60 * kSecond);
  spec.connections = 20;
  auto run = Run::create(spec, nullptr);
  ASSERT_TRUE(run);
  (*run)->start();
  (*run)->stop();
  const RunResult result = (*run)->wait();
  close(listener);
  EXPECT_TRUE(result.conserved());
  EXPECT_EQ(result.planned, 0u);
  EXPECT_EQ(result.rate->load_ns, 0);
  EXPECT_EQ(result.stopped_by, StoppedBy::kUser);
}

TEST(RunRate, RefusesWhatHasNoEndOrNoSense) {
  const auto error_of = [](const RunSpec& spec) {
    auto run = Run::create(spec, nullptr);
    return run ? std::string() : run.error().text;
  };
  RunSpec spec = spec_for(1, 10, kSecond);
  spec.duration_ns.reset();
  EXPECT_EQ(error_of(spec), "a rate needs an end: give a duration or an amount");
  spec.amount = 5;
  EXPECT_EQ(error_of(spec), "");
  spec.rate->stages[0] = stage(0, 0, RateSegment::kEndless);
  EXPECT_NE(error_of(spec), "");
  spec = spec_for(1, 10, kSecond);
  spec.max_connection_requests = 3;
  EXPECT_NE(error_of(spec), "");
  spec = spec_for(1, 10, kSecond);
  spec.rate->max_connections = 1;
  EXPECT_NE(error_of(spec), "");
  spec = spec_for(1, 2e9, kSecond);
  EXPECT_NE(error_of(spec), "");
  spec = spec_for(1, 10, kSecond);
  spec.connection_stages = {{1, 2, kSecond}};
  EXPECT_NE(error_of(spec), "");
}

}  // namespace
}  // namespace carronade
