// The test server with one page at every path, and with a request kept for a person to look at.
#include <gtest/gtest.h>

#include <string>

#include "server/echo_test_frames.h"
#include "server/server_test_client.h"

namespace carronade::server {
namespace {

ServerSpec with_page(std::string body) {
  ServerSpec spec;
  spec.page = FixedPage{std::move(body), "ERROR"};
  return spec;
}

TEST(FixedPage, IsAtEveryPathWithoutAType) {
  const auto server = start_server(with_page("OK"));
  TestClient client(*server);
  for (const char* path : {"/", "/status/503", "/delay/1h", "/bytes/9", "/echo", "/stats", "/close",
                           "/chunked", "/status/none"}) {
    const Reply reply = client.ask(path);
    EXPECT_EQ(reply.head, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n") << path;
    EXPECT_EQ(reply.body, "OK");
  }
  EXPECT_EQ(server->stats().requests_served, 9u);
}

TEST(FixedPage, ErrorsHaveABodyOfTheirOwn) {
  ServerSpec spec = with_page("fine");
  spec.error_status = 503;
  spec.error_percent = 50;
  const auto server = start_server(spec);
  TestClient client(*server);
  int errors = 0;
  for (int i = 0; i < 100; ++i) {
    const Reply reply = client.ask("/");
    EXPECT_EQ(reply.body, reply.status == 503 ? "ERROR" : "fine");
    errors += reply.status == 503 ? 1 : 0;
  }
  EXPECT_EQ(errors, 50);
}

TEST(FixedPage, OfAnySize) {
  for (const size_t size : {0u, 1u, 16'384u, 16'385u, 3'000'000u}) {
    std::string page;
    for (size_t i = 0; page.size() < size; ++i) page += std::to_string(i);
    page.resize(size);
    const auto server = start_server(with_page(page));
    TestClient client(*server);
    client.get("/");
    EXPECT_TRUE(client.ask("/").body == page) << size;
    EXPECT_TRUE(client.read().body == page) << size;
  }
}

TEST(FixedPage, HasItsOwnSizeAndFraming) {
  ServerSpec spec = with_page("OK");
  spec.chunked = true;
  EXPECT_FALSE(Server::start(spec));
  spec.chunked = false;
  spec.body_bytes = 5;
  EXPECT_FALSE(Server::start(spec));
}

TEST(Sample, IsTheNextRequestOnceItIsComplete) {
  const auto server = start_server({});
  TestClient client(*server);
  client.ask("/before");
  EXPECT_FALSE(server->take_sample());
  server->ask_sample();
  client.ask("/stats");  // not a request
  const std::string head = "POST /it HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n";
  client.send(head + "bo");
  client.send("dy");
  EXPECT_EQ(client.read().status, 200);
  client.ask("/after");
  const auto sample = server->take_sample();
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->head, head);
  EXPECT_EQ(sample->body, "body");
  EXPECT_FALSE(server->take_sample());
}

// Repeated requests are answered without being parsed.
TEST(Sample, IsTakenFromRepeatedRequestsToo) {
  const auto server = start_server({});
  TestClient client(*server);
  for (int i = 0; i < 3; ++i) client.ask("/same");
  server->ask_sample();
  client.ask("/same");
  const auto sample = server->take_sample();
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->head, "GET /same HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(server->stats().requests_served, 4u);
}

TEST(Sample, KeepsABoundedPartOfABody) {
  const auto server = start_server({});
  TestClient client(*server);
  server->ask_sample();
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" +
              std::string(200'000, 'b'));
  EXPECT_EQ(client.read().status, 200);
  EXPECT_EQ(server->take_sample()->body, std::string(RequestSample::kBodyBytesMax, 'b'));
}

TEST(Sample, MayBeAMessage) {
  const auto server = start_server({});
  TestClient client(*server);
  client.send("GET / HTTP/1.1\r\n" + std::string(kUpgradeLines));
  EXPECT_EQ(client.read().status, 101);
  server->ask_sample();
  client.send(text_frame("hello"));
  client.read_bytes(7);
  const auto sample = server->take_sample();
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->head, "");
  EXPECT_EQ(sample->body, "hello");
}

}  // namespace
}  // namespace carronade::server
