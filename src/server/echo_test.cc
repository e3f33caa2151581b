// The test server as a WebSocket server: handshakes, echoes, ends, and what it counts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/clock.h"
#include "server/answer.h"
#include "server/echo_test_frames.h"
#include "server/message_reader.h"
#include "server/server_test_client.h"

namespace carronade::server {
namespace {

std::string handshake(std::string_view target = "/") {
  return fmt::format("GET {} HTTP/1.1\r\n{}", target, kUpgradeLines);
}

// As the server sends them: without a mask.
std::string reply_frame(int opcode, std::string_view payload) {
  return frame({.opcode = opcode, .payload = payload, .masked = false});
}
std::string reply_close(int code, std::string_view reason = "") {
  return reply_frame(8, close_payload(code, reason));
}

// A client whose handshake was accepted.
std::unique_ptr<TestClient> open_client(const Server& server, std::string_view target = "/",
                                        const net::TlsClientContext* tls = nullptr) {
  auto client = std::make_unique<TestClient>(server, tls);
  client->send(handshake(target));
  const Reply reply = client->read();
  EXPECT_EQ(reply.status, 101) << reply.head;
  // The example of RFC 6455 1.3.
  EXPECT_TRUE(reply.has("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
  EXPECT_TRUE(reply.has("Upgrade: websocket"));
  EXPECT_TRUE(reply.has("Connection: Upgrade"));
  return client;
}

TEST(Echo, SendsMessagesBackAndCountsEach) {
  const auto server = start_server({});
  const auto client = open_client(*server, "/any/path?with=query");
  for (const std::string_view text : {"hello", "", "\xc3\xa9t\xc3\xa9"}) {
    client->send(text_frame(text));
    EXPECT_EQ(client->read_bytes(2 + text.size()), reply_frame(1, text));
  }
  client->send(frame({.opcode = 2, .payload = "\x80\x81"}));
  EXPECT_EQ(client->read_bytes(4), reply_frame(2, "\x80\x81"));
  const StatsSnapshot stats = server->stats();
  EXPECT_EQ(stats.ws_opened, 1u);
  EXPECT_EQ(stats.requests_received, 4u);
  EXPECT_EQ(stats.requests_served, 4u);
  EXPECT_EQ(stats.ws_text, 3u);
  EXPECT_EQ(stats.ws_binary, 1u);
  EXPECT_EQ(stats.body_bytes_in, 12u);
  EXPECT_EQ(stats.by_status[101], 1u);
  EXPECT_EQ(stats.by_status[200], 0u);
  EXPECT_EQ(stats.malformed, 0u);
  const auto counted = nlohmann::json::parse(TestClient(*server).ask("/stats").body);
  EXPECT_EQ(counted["requests"]["served"], 4);
  EXPECT_EQ(counted["webSocket"]["opened"], 1);
  EXPECT_EQ(counted["webSocket"]["text"], 3);
}

TEST(Echo, LongAndFragmentedMessages) {
  const auto server = start_server({});
  const auto client = open_client(*server);
  for (const size_t size : {126u, 65'535u, 65'536u, 300'000u, 5'000'000u}) {
    const std::string payload(size, 'p');
    client->send(frame({.opcode = 2, .payload = payload}));
    const std::string expected = reply_frame(2, payload);
    EXPECT_TRUE(client->read_bytes(expected.size()) == expected) << size;
  }
  client->send(frame({.payload = "in ", .final = false}) + frame({.opcode = 9, .payload = "p"}) +
               frame({.opcode = 0, .payload = "two"}));
  EXPECT_EQ(client->read_bytes(3 + 8), reply_frame(10, "p") + reply_frame(1, "in two"));
  EXPECT_EQ(server->stats().requests_served, 6u);
  EXPECT_EQ(server->stats().ws_pings, 1u);
}

TEST(Echo, ManyMessagesAtOnceKeepTheirOrder) {
  const auto server = start_server({});
  const auto client = open_client(*server);
  std::string sent, expected;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = fmt::format("message {}", i);
    sent += text_frame(text);
    expected += reply_frame(1, text);
  }
  client->send(sent);
  EXPECT_TRUE(client->read_bytes(expected.size()) == expected);
  EXPECT_EQ(server->stats().bytes_in, handshake().size() + sent.size());
}

// A client that sends frames with its handshake, behind an ordinary request.
TEST(Echo, BehindAnAnswerAndTogetherWithTheHandshake) {
  const auto server = start_server({});
  TestClient client(*server);
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n" + handshake() + text_frame("early"));
  EXPECT_EQ(client.read().status, 200);
  EXPECT_EQ(client.read().status, 101);
  EXPECT_EQ(client.read_bytes(7), reply_frame(1, "early"));
  EXPECT_EQ(server->stats().requests_served, 2u);
}

TEST(Echo, OverTls) {
  ServerSpec spec;
  spec.tls = true;
  const auto server = start_server(spec);
  const auto tls = net::TlsClientContext::create({});
  ASSERT_TRUE(tls) << tls.error().text;
  const auto client = open_client(*server, "/", tls->get());
  const std::string payload(200'000, 't');
  client->send(text_frame(payload));
  const std::string expected = reply_frame(1, payload);
  EXPECT_TRUE(client->read_bytes(expected.size()) == expected);
  client->send(frame({.opcode = 8, .payload = close_payload(1000)}));
  EXPECT_EQ(client->read_to_end(), reply_close(1000));
}

TEST(Echo, AnswersAClose) {
  const auto server = start_server({});
  for (const int code : {1000, 1001, 3000, 4999}) {
    const auto client = open_client(*server);
    client->send(text_frame("last") + frame({.opcode = 8, .payload = close_payload(code, "why")}));
    EXPECT_EQ(client->read_to_end(), reply_frame(1, "last") + reply_close(code));
  }
  const auto client = open_client(*server);
  client->send(frame({.opcode = 8}) + text_frame("after the end"));
  EXPECT_EQ(client->read_to_end(), reply_frame(8, ""));
  EXPECT_EQ(server->stats().ws_closes, 5u);
  EXPECT_EQ(server->stats().requests_received, 4u);
}

TEST(Echo, EndsAConnectionThatBreaksTheRules) {
  const auto server = start_server({});
  const struct {
    std::string bytes;
    std::string answer;
  } cases[] = {
      {frame({.payload = "x", .masked = false}), reply_close(1002, "a frame is not masked")},
      {frame({.payload = "\xff"}), reply_close(1007, "a text message is not UTF-8")},
      {frame({.opcode = 2, .more_length = MessageReader::kMessageBytesMax + 1}),
       reply_close(1009, "a message is longer than 16 MiB")},
  };
  for (const auto& bad : cases) {
    const auto client = open_client(*server);
    client->send(text_frame("fine") + bad.bytes);
    EXPECT_EQ(client->read_to_end(), reply_frame(1, "fine") + bad.answer);
    EXPECT_FALSE(client->was_reset());
  }
  EXPECT_EQ(server->stats().malformed, 3u);
  EXPECT_EQ(server->stats().requests_served, 3u);
}

TEST(Echo, RefusesBadHandshakes) {
  const auto server = start_server({});
  const auto without = [](std::string_view part, std::string_view instead) {
    std::string bytes = handshake();
    const size_t at = bytes.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return bytes.replace(at, part.size(), instead);
  };
  const struct {
    std::string bytes;
    const char* reason;
  } cases[] = {
      {without("GET", "POST"), "a WebSocket handshake is a GET\n"},
      {without("keep-alive, Upgrade", "keep-alive"), "Upgrade without Connection: Upgrade\n"},
      {without("Version: 13", "Version: 8"), "Sec-WebSocket-Version is not 13\n"},
      {without("Sec-WebSocket-Version: 13\r\n", ""), "Sec-WebSocket-Version is not 13\n"},
  };
  for (const auto& bad : cases) {
    TestClient client(*server);
    client.send(bad.bytes);
    const Reply reply = client.read();
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.body, bad.reason);
  }
}

TEST(Echo, TakesOnlyKeysOfSixteenBytes) {
  const auto server = start_server({});
  for (const char* key : {"", "short", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZR==",
                          "dGhlIHNhbXBsZSBub25j_Q==", "dGhlIHNhbXBsZSBub25jZTEyMzQ1"}) {
    TestClient client(*server);
    client.send(
        fmt::format("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade"
                    "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}\r\n\r\n",
                    key));
    const Reply reply = client.read();
    EXPECT_EQ(reply.status, 400) << key;
    EXPECT_EQ(reply.body, "Sec-WebSocket-Key is not the base64 of 16 bytes\n");
  }
  EXPECT_EQ(server->stats().ws_opened, 0u);
}

// Other protocols and HTTP/1.0 are answered as if they had not asked.
TEST(Echo, IgnoresUpgradesToOtherThings) {
  const auto server = start_server({});
  TestClient client(*server);
  client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
  EXPECT_EQ(client.read().status, 200);
  client.send("GET / HTTP/1.0\r\nUpgrade: websocket\r\n\r\n");
  EXPECT_EQ(client.read().status, 200);
}

TEST(Echo, AnErrorStatusRefusesTheHandshake) {
  ServerSpec spec;
  spec.error_status = 503;
  spec.error_percent = 50;
  const auto server = start_server(spec);
  int refused = 0;
  for (int i = 0; i < 100; ++i) {
    TestClient client(*server);
    client.send(handshake());
    const Reply reply = client.read();
    if (reply.status == 503) {
      ++refused;
      EXPECT_EQ(client.ask("/status/204").status, 204);  // it is an HTTP connection still
    }
  }
  EXPECT_EQ(refused, 50);
  EXPECT_EQ(server->stats().ws_opened, 50u);
  EXPECT_EQ(server->stats().ws_refused, 50u);
  EXPECT_EQ(server->stats().by_status[503], 50u);
  EXPECT_EQ(server->stats().by_status[101], 50u);
  EXPECT_EQ(server->stats().requests_received, 50u);  // the 204s
}

TEST(Echo, ThePathOrdersAStatusToo) {
  const auto server = start_server({});
  for (const int status : {200, 404, 503}) {
    TestClient client(*server);
    client.send(handshake(fmt::format("/status/{}", status)));
    EXPECT_EQ(client.read().status, status);
  }
  TestClient client(*server);
  client.send(handshake("/status/ok"));
  EXPECT_EQ(client.read().status, 400);
}

TEST(Echo, DelaysEachMessage) {
  ServerSpec spec;
  spec.delay_ns = 40'000'000;
  const auto server = start_server(spec);
  const auto client = open_client(*server);
  const int64_t start = base::now_ns();
  client->send(text_frame("one") + text_frame("two") + frame({.opcode = 8}));
  EXPECT_EQ(client->read_to_end(),
            reply_frame(1, "one") + reply_frame(1, "two") + reply_frame(8, ""));
  EXPECT_GE(base::now_ns() - start, 40'000'000);
  ASSERT_TRUE(server->truth());
  EXPECT_EQ(server->truth()->delay_ns.count(), 2u);
}

TEST(Echo, ThePathOrdersADelayToo) {
  const auto server = start_server({});
  const auto client = open_client(*server, "/delay/40ms");
  const int64_t start = base::now_ns();
  client->send(text_frame("x"));
  EXPECT_EQ(client->read_bytes(3), reply_frame(1, "x"));
  EXPECT_GE(base::now_ns() - start, 40'000'000);
}

TEST(Echo, ClosesAfterSoManyMessages) {
  ServerSpec spec;
  spec.close_after = 3;
  const auto server = start_server(spec);
  const auto client = open_client(*server);
  std::string sent;
  for (int i = 0; i < 5; ++i) sent += text_frame("m");
  client->send(sent);
  std::string expected;
  for (int i = 0; i < 3; ++i) expected += reply_frame(1, "m");
  EXPECT_EQ(client->read_to_end(), expected + reply_close(1000));
  EXPECT_FALSE(client->was_reset());
  EXPECT_EQ(server->stats().requests_served, 3u);
}

TEST(Echo, ThePathOrdersACloseToo) {
  const auto server = start_server({});
  const auto client = open_client(*server, "/close");
  client->send(text_frame("first") + text_frame("second"));
  EXPECT_EQ(client->read_to_end(), reply_frame(1, "first") + reply_close(1000));
}

// Nobody reads what was echoed: the server stops reading instead of keeping it all.
TEST(Echo, MemoryIsBoundedForOneWhoDoesNotRead) {
  const auto server = start_server({});
  const auto client = open_client(*server, "/delay/1h");
  const std::string message = frame({.opcode = 2, .payload = std::string(1024 * 1024, 'm')});
  constexpr int kMessages = 200;
  int sent = 0;
  while (sent < kMessages && client->try_send(message)) ++sent;
  EXPECT_LT(sent, kMessages);
  EXPECT_LT(server->stats().body_bytes_in, 80u * 1024 * 1024);
}

}  // namespace
}  // namespace carronade::server
