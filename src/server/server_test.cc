#include "server/server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "base/clock.h"
#include "server/answer.h"
#include "server/server_test_client.h"

namespace carronade::server {
namespace {

std::string pattern(size_t size) {
  std::string bytes(BodySource().plain().substr(0, BodySource::kPatternBytes));
  while (bytes.size() < size) bytes += bytes;
  return bytes.substr(0, size);
}

TEST(Server, AnswersAndKeepsTheConnection) {
  const auto server = start_server({});
  EXPECT_EQ(server->url(), fmt::format("http://127.0.0.1:{}", server->port()));
  TestClient client(*server);
  for (int i = 0; i < 3; ++i) {
    const Reply reply = client.ask(i == 1 ? "/some/page?q=1" : "/");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, kDefaultBody);
    EXPECT_TRUE(reply.has("Content-Type: text/plain"));
    EXPECT_EQ(reply.head.find("Connection:"), std::string::npos);
    EXPECT_LE(reply.head.size() + reply.body.size(), 120u);
  }
}

TEST(Server, StatusBytesAndChunked) {
  const auto server = start_server({});
  TestClient client(*server);
  EXPECT_EQ(client.ask("/status/503").status, 503);
  EXPECT_EQ(client.ask("/status/204").head, "HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(client.ask("/status/304").status, 304);
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{16384}, size_t{16385}, size_t{1048576}, size_t{3000001}}) {
    const Reply plain = client.ask(fmt::format("/bytes/{}", size));
    EXPECT_TRUE(plain.body == pattern(size)) << size;
    const Reply chunked = client.ask(fmt::format("/chunked/{}", size));
    EXPECT_TRUE(chunked.has("Transfer-Encoding: chunked"));
    EXPECT_TRUE(chunked.body == pattern(size)) << size;
  }
  EXPECT_EQ(client.ask("/chunked").body, kDefaultBody);
  const Reply bad = client.ask("/bytes/many");
  EXPECT_EQ(bad.status, 400);
  EXPECT_NE(bad.body.find("/bytes"), std::string::npos);
  EXPECT_EQ(client.ask("/").status, 200);  // it was an answer like others
}

TEST(Server, OptionsMakeTheDefaultAnswer) {
  ServerSpec spec;
  spec.body_bytes = 100000;
  spec.chunked = true;
  const auto server = start_server(spec);
  TestClient client(*server);
  const Reply reply = client.ask("/");
  EXPECT_TRUE(reply.has("Transfer-Encoding: chunked"));
  EXPECT_TRUE(reply.body == pattern(100000));
  EXPECT_EQ(client.ask("/bytes/5").body, "01234");
}

TEST(Server, HeadHasNoBody) {
  const auto server = start_server({});
  TestClient client(*server);
  client.send(
      "HEAD /bytes/1048576 HTTP/1.1\r\nHost: x\r\n\r\n"
      "HEAD /chunked HTTP/1.1\r\nHost: x\r\n\r\n"
      "HEAD /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"
      "HEAD /stats HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(client.read(true).has("Content-Length: 1048576"));
  EXPECT_TRUE(client.read(true).has("Transfer-Encoding: chunked"));
  EXPECT_TRUE(client.read(true).has("Content-Length: 2"));
  EXPECT_TRUE(client.read(true).has("Content-Type: application/json"));
  EXPECT_EQ(client.read().body, kDefaultBody);
}

TEST(Server, PipelinedAnswersKeepTheirOrder) {
  const auto server = start_server({});
  TestClient client(*server);
  client.send(
      "GET /bytes/1 HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET /delay/60ms/bytes/2 HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET /bytes/300000 HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET /delay/20ms/chunked/4 HTTP/1.1\r\nHost: x\r\n\r\n"
      "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde"
      "GET /delay/90ms/bytes/6 HTTP/1.1\r\nHost: x\r\n\r\n");
  const int64_t start = base::now_ns();
  EXPECT_EQ(client.read().body, "0");
  EXPECT_EQ(client.read().body, "01");
  EXPECT_GE(base::now_ns() - start, 55'000'000);
  EXPECT_TRUE(client.read().body == pattern(300000));
  EXPECT_EQ(client.read().body, "0123");
  EXPECT_EQ(client.read().body, "abcde");
  EXPECT_EQ(client.read().body, "012345");
  EXPECT_GE(base::now_ns() - start, 85'000'000);
}

TEST(Server, DeepPipelines) {
  const auto server = start_server({});
  TestClient client(*server);
  constexpr int kRounds = 20;
  constexpr int kDepth = 1000;
  const auto other = [](int i) { return i % 100 == 37; };
  std::string requests;
  for (int i = 0; i < kDepth; ++i) {
    requests += other(i) ? "GET /status/201 HTTP/1.1\r\nHost: x\r\n\r\n"
                         : "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  }
  for (int round = 0; round < kRounds; ++round) {
    client.send(requests);
    for (int i = 0; i < kDepth; ++i) ASSERT_EQ(client.read().status, other(i) ? 201 : 200) << i;
  }
  const StatsSnapshot stats = server->stats();
  EXPECT_EQ(stats.requests_served, uint64_t{kRounds * kDepth});
  EXPECT_EQ(stats.by_status[201], uint64_t{kRounds * kDepth / 100});
}

TEST(Server, EchoesBodies) {
  const auto server = start_server({});
  TestClient client(*server);
  client.send(
      "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nabc\r\n2;x\r\nde\r\n0\r\nT: v\r\n\r\n");
  const Reply chunked = client.read();
  EXPECT_EQ(chunked.body, "abcde");
  EXPECT_TRUE(chunked.has("Content-Type: a/b"));
  const std::string large = pattern(2'000'000);
  client.send(fmt::format("PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{}",
                          large.size(), large));
  EXPECT_TRUE(client.read().body == large);
  EXPECT_EQ(client.ask("/echo").body, "");
  client.send("PUT /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 67108865\r\n\r\n");
  EXPECT_EQ(client.read().status, 413);
  EXPECT_TRUE(client.at_end());
}

TEST(Server, DiscardsAndCountsOtherBodies) {
  const auto server = start_server({});
  TestClient client(*server);
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" + pattern(300000));
  EXPECT_EQ(client.read().body, kDefaultBody);
  EXPECT_EQ(server->stats().body_bytes_in, 300000u);
}

TEST(Server, ExpectContinueIsAnsweredInOrder) {
  const auto server = start_server({});
  TestClient client(*server);
  client.send(
      "GET /delay/30ms HTTP/1.1\r\nHost: x\r\n\r\n"
      "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read().status, 200);
  EXPECT_EQ(client.read().status, 100);
  client.send("ab");
  EXPECT_EQ(client.read().body, "ab");
}

TEST(Server, Http10) {
  const auto server = start_server({});
  TestClient closing(*server);
  closing.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(closing.read().has("Connection: close"));
  EXPECT_TRUE(closing.at_end());
  TestClient keeping(*server);
  for (int i = 0; i < 2; ++i) {
    keeping.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_TRUE(keeping.read().has("Connection: keep-alive"));
  }
  // No chunks in HTTP/1.0: the end of the connection ends the body.
  keeping.send("GET /chunked/100000 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const Reply reply = keeping.read();
  EXPECT_EQ(reply.head.find("Transfer-Encoding"), std::string::npos);
  EXPECT_TRUE(reply.body == pattern(100000));
}

// Closing must not lose answers to the reset that unread requests would cause.
TEST(Server, ClosesAfterTheLastAnswer) {
  ServerSpec spec;
  spec.close_after = 3;
  const auto server = start_server(spec);
  for (int round = 0; round < 20; ++round) {
    TestClient client(*server);
    for (int i = 0; i < 50; ++i) client.get("/");
    EXPECT_FALSE(client.read().has("Connection: close"));
    EXPECT_FALSE(client.read().has("Connection: close"));
    EXPECT_TRUE(client.read().has("Connection: close"));
    EXPECT_TRUE(client.at_end());
    EXPECT_FALSE(client.was_reset());
  }
  EXPECT_EQ(server->stats().requests_served, 60u);
}

TEST(Server, CloseByPathAndByHeader) {
  const auto server = start_server({});
  TestClient by_path(*server);
  by_path.get("/");
  by_path.get("/close/bytes/500000");
  by_path.get("/");
  EXPECT_FALSE(by_path.read().has("Connection: close"));
  const Reply last = by_path.read();
  EXPECT_TRUE(last.has("Connection: close"));
  EXPECT_EQ(last.body.size(), 500000u);
  EXPECT_TRUE(by_path.at_end());
  TestClient by_header(*server);
  by_header.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(by_header.read().has("Connection: close"));
  EXPECT_TRUE(by_header.at_end());
}

TEST(Server, AnswersWhatAHalfClosedClientAsked) {
  const auto server = start_server({});
  TestClient client(*server);
  client.get("/delay/30ms");
  client.get("/status/201");
  client.half_close();
  EXPECT_EQ(client.read().status, 200);
  EXPECT_EQ(client.read().status, 201);
  EXPECT_TRUE(client.at_end());
}

TEST(Server, RefusesMalformedRequestsInTheirTurn) {
  const auto server = start_server({});
  const auto refused = [&](const std::string& bytes, int status) {
    TestClient client(*server);
    client.get("/delay/5ms");
    client.send(bytes);
    EXPECT_EQ(client.read().status, 200);
    const Reply reply = client.read();
    EXPECT_EQ(reply.status, status) << bytes.substr(0, 80);
    EXPECT_TRUE(reply.has("Connection: close"));
    EXPECT_TRUE(client.at_end());
    EXPECT_FALSE(client.was_reset());
  };
  refused("GET / HTTP/1.1\r\n\r\n", 400);
  refused("rubbish\r\n\r\n" + pattern(100000), 400);
  refused("GET /" + std::string(70000, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n", 431);
  refused("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: br\r\n\r\n", 501);
  refused("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400);
  const StatsSnapshot stats = server->stats();
  EXPECT_EQ(stats.malformed, 5u);
  EXPECT_EQ(stats.requests_received, 5u);
  EXPECT_EQ(stats.requests_served, 5u);
  EXPECT_EQ(stats.by_status[400], 3u);
}

}  // namespace
}  // namespace carronade::server
