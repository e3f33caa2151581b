// Whole runs against a scripted server: limits, endings, and the ways to drive a run.
#include "carronade/run.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/clock.h"
#include "net/socket.h"
#include "scripted_peer.h"

namespace carronade {
namespace {

using test::ScriptedPeer;

constexpr int64_t kSecond = 1'000'000'000;
const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

void answer_all(ScriptedPeer::Talk& talk) {
  while (!talk.read_request().empty()) talk.send(kOk);
}
void stay_silent(ScriptedPeer::Talk& talk) {
  talk.read_request();
  talk.wait_for_close();
}

RunSpec spec_for(uint16_t port) {
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:" + std::to_string(port) + "/"), {}});
  spec.connections = 1;
  spec.timeout_ns = 5 * kSecond;
  return spec;
}

RunResult execute(RunSpec spec, Observer* observer = nullptr) {
  auto run = carronade::Run::create(std::move(spec), observer);
  EXPECT_TRUE(run) << run.error().text;
  RunResult result = (*run)->execute();
  EXPECT_TRUE(result.conserved());
  return result;
}

TEST(Run, AnAmountIsExactForEveryMixOfConnectionsWorkersAndDepth) {
  for (uint64_t amount : {1u, 3u, 10u, 97u}) {
    for (uint32_t connections : {1u, 4u, 10u}) {
      for (uint32_t workers : {1u, 3u}) {
        for (uint32_t depth : {1u, 5u}) {
          ScriptedPeer peer(answer_all);
          RunSpec spec = spec_for(peer.port());
          spec.amount = amount;
          spec.connections = connections;
          spec.workers = workers;
          spec.pipelining = depth;
          const RunResult result = execute(spec);
          ASSERT_EQ(peer.requests(), static_cast<int>(amount));
          ASSERT_EQ(result.sent, amount);
          ASSERT_EQ(result.answered, amount);
          ASSERT_EQ(result.by_status[200], amount);
          ASSERT_EQ(result.latency.count(), amount);
          ASSERT_EQ(result.stopped_by, StoppedBy::kAmount);
          ASSERT_LE(peer.connections(), static_cast<int>(std::min<uint64_t>(connections, amount)));
        }
      }
    }
  }
}

TEST(Run, ReconnectsAfterExactlyNRequests) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port());
  spec.amount = 20;
  spec.reconnect_after = 2;
  const RunResult result = execute(spec);
  EXPECT_EQ(peer.requests(), 20);
  EXPECT_EQ(peer.connections(), 10);
  EXPECT_EQ(result.connections_opened, 10u);
  EXPECT_EQ(result.reconnects, 9u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(Run, AConnectionQuotaEndsTheRun) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port());
  spec.connections = 3;
  spec.pipelining = 4;
  spec.max_connection_requests = 10;
  const RunResult result = execute(spec);
  EXPECT_EQ(peer.requests(), 30);
  EXPECT_EQ(result.stopped_by, StoppedBy::kConnectionRequests);
}

TEST(Run, AnAmountFitsTheConnectionQuotasOfEveryWorker) {
  for (uint32_t workers : {1u, 3u}) {
    ScriptedPeer peer(answer_all);
    RunSpec spec = spec_for(peer.port());
    spec.connections = 10;
    spec.workers = workers;
    spec.max_connection_requests = 10;
    spec.amount = 100;
    EXPECT_EQ(execute(spec).answered, 100u);
    spec.amount = 1000;
    const RunResult result = execute(spec);
    EXPECT_EQ(result.answered, 100u);
    EXPECT_EQ(result.dropped, 900u);
    EXPECT_EQ(result.stopped_by, StoppedBy::kConnectionRequests);
  }
}

TEST(Run, ATargetThatDoesNotResolveTakesNoShareOfTheAmount) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port());
  spec.targets.push_back({*parse_url("http://no-such-host.invalid/"), {}});
  spec.connections = 2;
  spec.workers = 2;
  spec.amount = 100;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 100u);
  EXPECT_EQ(result.errors.size(), 1u);
}

TEST(Run, AFullUnixBacklogLosesNothing) {
  const std::string path = "/tmp/carronade_run_test_" + std::to_string(getpid()) + ".sock";
  const auto listener = net::listen_stream(*net::Address::from_unix_path(path), 2, false);
  ASSERT_TRUE(listener);
  std::atomic<bool> stopping{false};
  std::thread server([&] {
    while (!stopping) {
      pollfd entry{listener->get(), POLLIN, 0};
      if (poll(&entry, 1, 10) <= 0) continue;
      const int fd = accept4(listener->get(), nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) continue;
      char request[4096];
      if (recv(fd, request, sizeof request, 0) > 0) {
        const std::string answer =
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";
        send(fd, answer.data(), answer.size(), MSG_NOSIGNAL);
      }
      close(fd);
    }
  });
  RunSpec spec = spec_for(1);
  spec.unix_socket = path;
  spec.connections = 50;
  spec.amount = 200;
  const RunResult result = execute(spec);
  stopping = true;
  server.join();
  unlink(path.c_str());
  EXPECT_EQ(result.answered, 200u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(Run, TheFirstLimitReachedEndsTheRun) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port());
  spec.duration_ns = kSecond / 5;
  spec.amount = 1'000'000'000;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.stopped_by, StoppedBy::kDuration);
  EXPECT_GT(result.answered, 0u);
  EXPECT_GE(result.elapsed_ns, kSecond / 5);
  EXPECT_EQ(result.planned, result.sent + result.dropped);
}

TEST(Run, ASilentServerEndsInTimeoutsWithinTheTimeout) {
  ScriptedPeer peer(stay_silent);
  RunSpec spec = spec_for(peer.port());
  spec.amount = 2;
  spec.timeout_ns = kSecond / 5;
  const int64_t begin = base::now_ns();
  const RunResult result = execute(spec);
  EXPECT_EQ(result.timed_out, 2u);
  EXPECT_EQ(result.answered, 0u);
  EXPECT_EQ(result.timeout_total(), 2u);
  EXPECT_LT(base::now_ns() - begin, 3 * kSecond);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].kind, ErrorKind::kTimeout);
  EXPECT_NE(result.errors[0].text.find("127.0.0.1:"), std::string::npos);
}

TEST(Run, RequestsInFlightAtTheEndAreNotErrors) {
  ScriptedPeer peer(stay_silent);
  RunSpec spec = spec_for(peer.port());
  spec.connections = 3;
  spec.duration_ns = kSecond / 5;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.in_flight, 3u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(Run, ARefusedConnectionIsRetriedWithBackOffAndTheRunEnds) {
  uint16_t port;
  {
    ScriptedPeer gone(answer_all);
    port = gone.port();
  }
  RunSpec spec = spec_for(port);
  spec.duration_ns = kSecond / 2;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.sent, 0u);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].text,
            "connect 127.0.0.1:" + std::to_string(port) + ": Connection refused");
  EXPECT_GE(result.errors[0].count, 2u);
  EXPECT_LE(result.errors[0].count, 8u);

  spec.amount = 5;
  spec.duration_ns.reset();
  const RunResult by_amount = execute(spec);
  EXPECT_EQ(by_amount.dropped, 5u);
  EXPECT_EQ(by_amount.errors[0].count, 5u);
}

TEST(Run, ALargeAmountAgainstADeadServerGivesUpAfterTheTimeout) {
  uint16_t port;
  {
    ScriptedPeer gone(answer_all);
    port = gone.port();
  }
  RunSpec spec = spec_for(port);
  spec.amount = 1'000'000;
  spec.timeout_ns = kSecond / 5;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.stopped_by, StoppedBy::kUnreachable);
  EXPECT_EQ(result.dropped, 1'000'000u);
  EXPECT_LT(result.elapsed_ns, 4 * kSecond);
}

TEST(Run, AnAnswerAfterTheTimeoutIsATimeoutWheneverItIsLookedAt) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.read_request();
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    talk.send(kOk);
    talk.wait_for_close();
  });
  RunSpec spec = spec_for(peer.port());
  spec.amount = 5;
  spec.timeout_ns = 1'000'000;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 0u);
  EXPECT_EQ(result.error_total(), 5u);
}

TEST(Run, SaysThatTargetsAreLeftOut) {
  RunSpec spec = spec_for(1);
  spec.amount = 1;
  spec.targets.push_back(spec.targets[0]);
  auto run = carronade::Run::create(spec, nullptr);
  ASSERT_TRUE(run);
  ASSERT_EQ((*run)->warnings().size(), 1u);
  EXPECT_EQ((*run)->warnings()[0], "2 targets for 1 connection: the last 1 get no request");
}

TEST(Run, BailsOutAfterNFailures) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) { talk.read_request(); });
  RunSpec spec = spec_for(peer.port());
  spec.duration_ns = 20 * kSecond;
  spec.bailout = 7;
  const RunResult result = execute(spec);
  EXPECT_EQ(result.stopped_by, StoppedBy::kBailout);
  EXPECT_EQ(result.failed, 7u);
}

TEST(Run, CountsBodiesThatAreNotTheExpectedOne) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    for (int i = 0; !talk.read_request().empty(); ++i) {
      talk.send(i % 2 == 0 ? kOk : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno");
    }
  });
  RunSpec spec = spec_for(peer.port());
  spec.amount = 10;
  spec.expect_body = "ok";
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 10u);
  EXPECT_EQ(result.mismatched, 5u);
}

TEST(Run, StopsFromAnotherThreadAndKeepsWhatWasMeasured) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port());
  spec.workers = 2;
  spec.connections = 4;
  spec.duration_ns = 60 * kSecond;
  auto run = carronade::Run::create(spec, nullptr);
  ASSERT_TRUE(run);
  (*run)->start();
  std::thread stopper([&] {
    while (peer.requests() < 100) std::this_thread::yield();
    (*run)->stop();
    (*run)->stop();
  });
  const RunResult result = (*run)->wait();
  stopper.join();
  EXPECT_EQ(result.stopped_by, StoppedBy::kUser);
  EXPECT_GE(result.answered, 90u);
  EXPECT_TRUE(result.conserved());
}

TEST(Run, IsDrivenTurnByTurnOverOneDescriptor) {
  ScriptedPeer peer(answer_all);
  RunSpec spec = spec_for(peer.port());
  spec.connections = 2;
  spec.amount = 50;
  auto run = carronade::Run::create(spec, nullptr);
  ASSERT_TRUE(run);
  (*run)->open();
  int turns = 0;
  while (!(*run)->finished()) {
    pollfd entry{(*run)->poll_fd(), POLLIN, 0};
    ASSERT_GT(poll(&entry, 1, 10'000), 0);
    (*run)->turn();
    ASSERT_LT(++turns, 100'000);
  }
  EXPECT_EQ((*run)->result().answered, 50u);
  EXPECT_EQ(peer.requests(), 50);
}

TEST(Run, ADrivenRunTimesOutByItself) {
  ScriptedPeer peer(stay_silent);
  RunSpec spec = spec_for(peer.port());
  spec.amount = 1;
  spec.timeout_ns = kSecond / 10;
  auto run = carronade::Run::create(spec, nullptr);
  ASSERT_TRUE(run);
  (*run)->open();
  while (!(*run)->finished()) {
    pollfd entry{(*run)->poll_fd(), POLLIN, 0};
    ASSERT_GT(poll(&entry, 1, 10'000), 0);
    (*run)->turn();
  }
  EXPECT_EQ((*run)->result().timed_out, 1u);
}

TEST(Run, SeveralRunsGoOnAtOnce) {
  ScriptedPeer peer(answer_all);
  std::vector<std::unique_ptr<carronade::Run>> runs;
  for (int i = 0; i < 5; ++i) {
    RunSpec spec = spec_for(peer.port());
    spec.amount = 100;
    spec.connections = 2;
    auto run = carronade::Run::create(spec, nullptr);
    ASSERT_TRUE(run);
    runs.push_back(std::move(*run));
    runs.back()->start();
  }
  for (auto& run : runs) EXPECT_EQ(run->wait().answered, 100u);
  EXPECT_EQ(peer.requests(), 500);
}

TEST(Run, TellsItsObserverTheFirstExchangeAndTheErrors) {
  struct Listener : Observer {
    void on_exchange(std::string_view sent, std::string_view received) override {
      request = sent;
      response = received;
    }
    void on_errors(const ErrorCount& fresh) override { errors += fresh.count; }
    void on_progress(const Progress& progress) override { last = progress; }
    std::string request, response;
    uint64_t errors = 0;
    Progress last;
  } listener;
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.read_request();
    talk.send(talk.index() == 0 ? kOk : "nonsense\r\n\r\n");
  });
  RunSpec spec = spec_for(peer.port());
  spec.amount = 3;
  spec.reconnect_after = 1;
  spec.capture_exchange = true;
  const RunResult result = execute(spec, &listener);
  EXPECT_EQ(listener.response, kOk);
  EXPECT_EQ(listener.request.substr(0, 16), "GET / HTTP/1.1\r\n");
  EXPECT_EQ(result.failed, 2u);
  EXPECT_EQ(listener.errors, 2u);
  EXPECT_EQ(listener.last.answered, 1u);
  EXPECT_EQ(listener.last.sent, 3u);
}

TEST(Run, AnUnknownHostIsAReportNotAHang) {
  RunSpec spec = spec_for(1);
  spec.targets[0].url = *parse_url("http://no-such-host.invalid/");
  spec.amount = 4;
  const RunResult result = execute(spec);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].kind, ErrorKind::kResolveFailed);
  EXPECT_EQ(result.dropped, 4u);
  EXPECT_EQ(result.stopped_by, StoppedBy::kUnresolved);
  EXPECT_TRUE(result.latency.empty());
}

}  // namespace
}  // namespace carronade
