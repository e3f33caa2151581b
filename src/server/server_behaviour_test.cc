// The test server under options that change how it behaves, and under clients that misbehave.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "server/answer.h"
#include "server/server_test_client.h"

namespace carronade::server {
namespace {

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

std::string temporary_path(const char* name) {
  return fmt::format("/tmp/carronade_server_test_{}_{}", getpid(), name);
}

TEST(ServerBehaviour, ErrorShareIsExact) {
  ServerSpec spec;
  spec.error_status = 503;
  spec.error_percent = 12;
  const auto server = start_server(spec);
  TestClient client(*server);
  for (int i = 0; i < 1000; ++i) client.send(kGet);
  int errors = 0;
  for (int i = 0; i < 1000; ++i) errors += client.read().status == 503 ? 1 : 0;
  EXPECT_EQ(errors, 120);
  EXPECT_EQ(server->stats().by_status[503], 120u);
  EXPECT_EQ(server->stats().by_status[200], 880u);
}

TEST(ServerBehaviour, ErrorsFollowFromTheSeed) {
  const auto statuses = [](uint64_t seed) {
    ServerSpec spec;
    spec.error_status = 500;
    spec.error_percent = 50;
    spec.seed = seed;
    const auto server = start_server(spec);
    TestClient client(*server);
    std::string drawn;
    for (int i = 0; i < 100; ++i) drawn += client.ask("/").status == 500 ? 'e' : '.';
    return drawn;
  };
  EXPECT_EQ(statuses(1), statuses(1));
  EXPECT_NE(statuses(1), statuses(2));
}

TEST(ServerBehaviour, DelaysEveryAnswerUnlessThePathSaysOtherwise) {
  ServerSpec spec;
  spec.delay_ns = 40'000'000;
  const auto server = start_server(spec);
  TestClient client(*server);
  int64_t start = base::now_ns();
  client.ask("/");
  EXPECT_GE(base::now_ns() - start, 40'000'000);
  start = base::now_ns();
  client.ask("/delay/1ns");
  EXPECT_LT(base::now_ns() - start, 35'000'000);
}

// Delays of requests that wait together do not add up.
TEST(ServerBehaviour, ManyConnectionsWaitAtOnce) {
  const auto server = start_server({});
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 50; ++i) clients.push_back(std::make_unique<TestClient>(*server));
  const int64_t start = base::now_ns();
  for (const auto& client : clients) client->get("/delay/50ms");
  for (const auto& client : clients) EXPECT_EQ(client->read().status, 200);
  const int64_t took = base::now_ns() - start;
  EXPECT_GE(took, 50'000'000);
  EXPECT_LT(took, 1'000'000'000);
}

// The answer would be due in the middle of the first stall.
TEST(ServerBehaviour, AnswersWaitForTheEndOfAStall) {
  ServerSpec spec;
  spec.stall = {60'000'000, 120'000'000};
  const int64_t before = base::now_ns();
  const auto server = start_server(spec);
  TestClient client(*server);
  EXPECT_EQ(client.ask("/delay/125ms").status, 200);
  EXPECT_GE(base::now_ns() - before, 180'000'000);
}

TEST(ServerBehaviour, StatsAreExactAndLeaveThemselvesOut) {
  ServerSpec spec;
  spec.threads = 2;
  const auto server = start_server(spec);
  constexpr int kClients = 8;
  uint64_t sent = 0, received = 0;
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < kClients; ++i) clients.push_back(std::make_unique<TestClient>(*server));
  for (const auto& client : clients) {
    for (int i = 0; i < 10; ++i) {
      const Reply reply = client->ask(i == 0 ? "/status/404" : "/");
      sent += kGet.size() + (i == 0 ? std::string_view("status/404").size() : 0);
      received += reply.head.size() + reply.body.size();
    }
  }
  TestClient asking(*server);
  for (uint64_t asked = 1; asked <= 2; ++asked) {
    const Reply reply = asking.ask("/stats?pretty");
    EXPECT_TRUE(reply.has("Content-Type: application/json"));
    const auto stats = nlohmann::json::parse(reply.body);
    EXPECT_EQ(stats["connections"]["accepted"], kClients + 1);
    EXPECT_EQ(stats["connections"]["open"], kClients + 1);
    EXPECT_EQ(stats["requests"]["received"], kClients * 10);
    EXPECT_EQ(stats["requests"]["served"], kClients * 10);
    EXPECT_EQ(stats["requests"]["malformed"], 0);
    EXPECT_EQ(stats["requests"]["stats"], asked);
    EXPECT_EQ(stats["bytes"]["in"], sent);
    EXPECT_EQ(stats["bytes"]["out"], received);
    EXPECT_EQ(stats["byStatus"], nlohmann::json({{"200", kClients * 9}, {"404", kClients}}));
  }
}

TEST(ServerBehaviour, ServesAcrossThreads) {
  ServerSpec spec;
  spec.threads = 3;
  const auto server = start_server(spec);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&server] {
      for (int i = 0; i < 50; ++i) {
        TestClient client(*server);
        client.send(kGet);
        client.send(kGet);
        EXPECT_EQ(client.read().status, 200);
        EXPECT_EQ(client.read().status, 200);
      }
    });
  }
  for (int i = 0; i < 100; ++i) server->stats();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server->stats().connections_accepted, 200u);
  EXPECT_EQ(server->stats().requests_served, 400u);
}

TEST(ServerBehaviour, UnixSocket) {
  ServerSpec spec;
  spec.unix_path = temporary_path("unix");
  spec.threads = 2;
  auto server = start_server(spec);
  EXPECT_EQ(server->url(), "http+unix:" + spec.unix_path);
  EXPECT_EQ(server->port(), 0);
  for (int i = 0; i < 10; ++i) {
    TestClient client(*net::Address::from_unix_path(spec.unix_path));
    EXPECT_EQ(client.ask("/").body, kDefaultBody);
    EXPECT_EQ(client.ask("/bytes/1000000").body.size(), 1000000u);
    client.get("/close");
    client.get("/");
    EXPECT_TRUE(client.read().has("Connection: close"));
    EXPECT_TRUE(client.at_end());
  }
  server->stop();
  EXPECT_NE(access(spec.unix_path.c_str(), F_OK), 0);
}

TEST(ServerBehaviour, Tls) {
  ServerSpec spec;
  spec.tls = true;
  spec.threads = 2;
  const auto server = start_server(spec);
  EXPECT_EQ(server->url(), fmt::format("https://127.0.0.1:{}", server->port()));
  const auto tls = net::TlsClientContext::create(TlsSpec{});
  ASSERT_TRUE(tls.has_value()) << tls.error().text;
  for (int i = 0; i < 5; ++i) {
    TestClient client(*server, tls->get());
    EXPECT_EQ(client.ask("/").body, kDefaultBody);
    EXPECT_EQ(client.ask("/bytes/3000000").body.size(), 3000000u);
    EXPECT_EQ(client.ask("/chunked/3000000").body.size(), 3000000u);
    const std::string large(1'000'000, 'x');
    client.send(fmt::format("PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{}",
                            large.size(), large));
    EXPECT_TRUE(client.read().body == large);
    for (int k = 0; k < 1000; ++k) client.send(kGet);
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(client.read().status, 200) << k;
    client.get("/close");
    client.get("/");
    EXPECT_TRUE(client.read().has("Connection: close"));
    EXPECT_TRUE(client.at_end());
    EXPECT_FALSE(client.was_reset());
  }
  // One who does not speak TLS is sent away, and counted.
  TestClient plain(*server);
  plain.send(kGet);
  plain.read_to_end();
  EXPECT_EQ(server->stats().tls_failures, 1u);
}

TEST(ServerBehaviour, ResetsDoNoHarm) {
  const auto server = start_server({});
  for (int i = 0; i < 50; ++i) {
    TestClient large(*server), late(*server), split(*server);
    large.get("/bytes/50000000");
    late.get("/delay/5ms");
    late.get("/delay/5ms/bytes/50000000");
    split.send("GET / HT");
    large.reset();
    late.reset();
    split.reset();
  }
  TestClient client(*server);
  EXPECT_EQ(client.ask("/delay/20ms").status, 200);
  const int64_t start = base::now_ns();
  while (server->stats().connections_open > 1 && base::now_ns() - start < 5'000'000'000) {
    std::this_thread::yield();
  }
  EXPECT_EQ(server->stats().connections_open, 1u);
}

// A client that does not read gets no more than the sockets hold; others are served meanwhile.
TEST(ServerBehaviour, AClientThatDoesNotReadHoldsNobodyUp) {
  const auto server = start_server({});
  TestClient lazy(*server), busy(*server);
  lazy.get("/bytes/100000000");
  lazy.get("/status/201");
  for (int i = 0; i < 100; ++i) ASSERT_EQ(busy.ask("/").status, 200);
  EXPECT_LT(server->stats().bytes_out, 50'000'000u);
  EXPECT_EQ(lazy.read().body.size(), 100000000u);
  EXPECT_EQ(lazy.read().status, 201);
}

TEST(ServerBehaviour, StopsAtOnce) {
  ServerSpec spec;
  spec.threads = 2;
  const auto server = start_server(spec);
  TestClient waiting(*server), reading(*server), idle(*server);
  waiting.get("/delay/1h");
  reading.get("/bytes/1GB");
  EXPECT_EQ(idle.ask("/").status, 200);
  const int64_t start = base::now_ns();
  server->stop();
  EXPECT_LT(base::now_ns() - start, 500'000'000);
  EXPECT_TRUE(idle.at_end());
  server->stop();
  server->request_stop();
}

TEST(ServerBehaviour, WaitEndsWhenAskedFromElsewhere) {
  const auto server = start_server({});
  std::thread stopper([&server] { server->request_stop(); });
  server->wait();
  stopper.join();
}

TEST(ServerBehaviour, LogsHeads) {
  std::string log;
  ServerSpec spec;
  spec.threads = 2;
  spec.log_headers = [&log](std::string_view head) { log += head; };
  auto server = start_server(spec);
  TestClient first(*server), second(*server);
  first.send(kGet);
  first.read();
  second.send("POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nab");
  second.read();
  server->stop();
  EXPECT_EQ(log, std::string(kGet) + "POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\n");
}

TEST(ServerBehaviour, RefusesToStart) {
  const auto server = start_server({});
  for (const int threads : {1, 2}) {
    ServerSpec taken;
    taken.port = server->port();
    taken.threads = threads;
    const auto second = Server::start(taken);
    ASSERT_FALSE(second.has_value()) << threads;
    EXPECT_NE(second.error().text.find(std::to_string(server->port())), std::string::npos)
        << second.error().text;
  }
  ServerSpec range;
  range.threads = 0;
  EXPECT_FALSE(Server::start(range).has_value());
  ServerSpec certificate;
  certificate.tls = true;
  certificate.certificate_file = "/does/not/exist.pem";
  const auto missing = Server::start(certificate);
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().text.find("/does/not/exist.pem"), std::string::npos);
}

}  // namespace
}  // namespace carronade::server
