// Known laws through a real socket. Times are bounded from below exactly, from above loosely.
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "server/server_test_client.h"

namespace carronade::server {
namespace {

constexpr int64_t kMs = 1'000'000;

ServerSpec law_spec(const char* text) {
  ServerSpec spec;
  spec.service = *parse_service(text);
  return spec;
}

nlohmann::json stats_of(TestClient& client, const char* target = "/stats") {
  return nlohmann::json::parse(client.ask(target).body);
}

TEST(Service, FixedTimesAreKept) {
  const auto server = start_server(law_spec("fixed 3ms"));
  TestClient client(*server);
  constexpr int kCount = 50;
  for (int i = 0; i < kCount; ++i) {
    const int64_t start = base::now_ns();
    ASSERT_EQ(client.ask("/").status, 200);
    EXPECT_GE(base::now_ns() - start, 3 * kMs);
  }
  const ServiceTruth truth = *server->truth();
  EXPECT_EQ(truth.delay_ns.count(), static_cast<uint64_t>(kCount));
  EXPECT_EQ(truth.delay_ns.min(), 3 * kMs);
  EXPECT_EQ(truth.delay_ns.max(), 3 * kMs);
  EXPECT_EQ(truth.lateness_ns.count(), static_cast<uint64_t>(kCount));
  EXPECT_LT(truth.lateness_ns.percentile(50), kMs);
}

TEST(Service, StatsTellTheTruthAndCountAsBefore) {
  ServerSpec spec = law_spec("exp 200us");
  spec.seed = 9;
  spec.record_arrivals = 5;
  const auto server = start_server(spec);
  TestClient client(*server);
  int64_t sum = 0;
  for (uint64_t k = 0; k < 40; ++k) {
    ASSERT_EQ(client.ask("/").status, 200);
    sum += service_ns(*spec.service, 9, k);
  }
  const nlohmann::json stats = stats_of(client);
  EXPECT_EQ(stats["law"], "exp 200µs, seed 9");
  EXPECT_EQ(stats["requests"]["received"], 40);
  EXPECT_EQ(stats["requests"]["served"], 40);
  for (const char* name : {"serviceNs", "delayNs", "latenessNs"}) {
    EXPECT_EQ(stats[name]["count"], 40) << name;
  }
  EXPECT_NEAR(stats["delayNs"]["mean"].get<double>(), static_cast<double>(sum) / 40, 0.1);
  uint64_t arrived = 0;
  for (const auto& second : stats["arrivals"]) arrived += second.get<uint64_t>();
  EXPECT_EQ(arrived, 40u);
  const nlohmann::json arrivals = stats_of(client, "/stats/arrivals");
  EXPECT_EQ(arrivals["limit"], 5);
  ASSERT_EQ(arrivals["ns"].size(), 5u);
  EXPECT_EQ(arrivals["ns"][0], 0);
  EXPECT_GT(arrivals["ns"][4], arrivals["ns"][1]);
  EXPECT_EQ(stats_of(client)["requests"]["stats"], 3);
  EXPECT_EQ(stats_of(client)["requests"]["received"], 40);
}

TEST(Service, WithoutALawThereIsNothingToTell) {
  const auto server = start_server({});
  TestClient client(*server);
  EXPECT_EQ(client.ask("/").status, 200);
  EXPECT_EQ(stats_of(client).count("law"), 0u);
  EXPECT_FALSE(server->truth().has_value());
  EXPECT_EQ(stats_of(client, "/stats/arrivals"),
            nlohmann::json({{"limit", 0}, {"recorded", 0}, {"ns", nlohmann::json::array()}}));
}

// Repeated requests are answered from memory, and still all of them arrived.
TEST(Service, RecordsArrivalsOfAnswersThatDoNotWait) {
  ServerSpec spec;
  spec.record_arrivals = 1000;
  const auto server = start_server(spec);
  TestClient client(*server);
  for (int i = 0; i < 300; ++i) client.get(i % 3 == 0 ? "/status/201" : "/");
  for (int i = 0; i < 300; ++i) ASSERT_EQ(client.read().status, i % 3 == 0 ? 201 : 200);
  const ServiceTruth truth = *server->truth();
  EXPECT_EQ(truth.arrivals.times_ns().size(), 300u);
  EXPECT_EQ(truth.delay_ns.count(), 300u);
  EXPECT_EQ(truth.delay_ns.max(), 0);
}

// All ask at once, and one server serves them one after the other, over threads and connections.
TEST(Service, OneQueueForAllThreadsAndConnections) {
  ServerSpec spec = law_spec("fixed 5ms");
  spec.threads = 3;
  spec.queue = 1;
  const auto server = start_server(spec);
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 12; ++i) clients.push_back(std::make_unique<TestClient>(*server));
  const int64_t start = base::now_ns();
  for (const auto& client : clients) client->get("/");
  for (const auto& client : clients) EXPECT_EQ(client->read().status, 200);
  EXPECT_GE(base::now_ns() - start, 60 * kMs);
  const Histogram delay = server->truth()->delay_ns;
  EXPECT_EQ(delay.count(), 12u);
  EXPECT_GT(delay.max(), 30 * kMs);  // the last one, less the time that asking took
}

TEST(Service, WithoutAQueueTheyAreServedTogether) {
  const auto server = start_server(law_spec("fixed 50ms"));
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 20; ++i) clients.push_back(std::make_unique<TestClient>(*server));
  for (const auto& client : clients) client->get("/");
  for (const auto& client : clients) EXPECT_EQ(client->read().status, 200);
  EXPECT_EQ(server->truth()->delay_ns.max(), 50 * kMs);
}

// Answers of one connection keep their order, and the truth is what its client sees.
TEST(Service, PipelinedAnswersWaitForThoseAhead) {
  const auto server = start_server(law_spec("fixed 1ms"));
  TestClient client(*server);
  client.send(
      "GET /delay/30ms/status/201 HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read().status, 201);
  EXPECT_EQ(client.read().status, 200);
  const ServiceTruth truth = *server->truth();
  EXPECT_EQ(truth.service_ns.min(), 1 * kMs);
  EXPECT_GE(truth.delay_ns.min(), 25 * kMs);  // 30 ms when both came with one read
}

TEST(Service, CapacitySpacesAnswers) {
  ServerSpec spec;
  spec.capacity = 500;
  const auto server = start_server(spec);
  TestClient client(*server);
  const int64_t start = base::now_ns();
  for (int i = 0; i < 31; ++i) client.get("/");
  for (int i = 0; i < 31; ++i) EXPECT_EQ(client.read().status, 200);
  EXPECT_GE(base::now_ns() - start, 60 * kMs);
  EXPECT_EQ(stats_of(client)["law"], "fixed 0s, capacity 500/s");
}

// Bodies that are sent in parts, and answers that are kept as bytes, are late or not once.
TEST(Service, EveryKindOfAnswerIsTimedOnce) {
  const auto server = start_server(law_spec("fixed 1ms"));
  TestClient client(*server);
  EXPECT_EQ(client.ask("/bytes/3000000").body.size(), 3000000u);
  EXPECT_EQ(client.ask("/chunked/100000").body.size(), 100000u);
  EXPECT_EQ(client.ask("/bytes/many").status, 400);
  client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab");
  EXPECT_EQ(client.read().body, "ab");
  EXPECT_EQ(server->truth()->delay_ns.count(), 4u);
  EXPECT_EQ(server->truth()->lateness_ns.count(), 4u);
}

TEST(Service, TruthMayBeAskedForWhileThreadsServe) {
  ServerSpec spec = law_spec("exp 100us");
  spec.threads = 2;
  spec.queue = 4;
  const auto server = start_server(spec);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&server] {
      TestClient client(*server);
      for (int i = 0; i < 50; ++i) EXPECT_EQ(client.ask("/").status, 200);
    });
  }
  for (int i = 0; i < 20; ++i) EXPECT_LE(server->truth()->delay_ns.count(), 200u);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server->truth()->delay_ns.count(), 200u);
  EXPECT_EQ(server->truth()->lateness_ns.count(), 200u);
}

}  // namespace
}  // namespace carronade::server
