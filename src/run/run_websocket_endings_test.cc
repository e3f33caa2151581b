// Whole runs against WebSocket servers: how connections begin and end, servers that do not read.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "carronade/run.h"
#include "scripted_peer.h"
#include "ws_peer.h"
#include "ws_runs.h"

namespace carronade {
namespace {

using test::echo_ws;
using test::run_ws;
using test::ScriptedPeer;
using test::ws_spec;

constexpr int64_t kSecond = 1'000'000'000;

RunSpec ws_rate_spec(const ScriptedPeer& peer, double rate, int64_t duration_ns) {
  RunSpec spec = ws_spec(peer, 1);
  spec.amount.reset();
  spec.rate.emplace();
  spec.rate->stages.push_back({"", {{.from = rate, .to = rate, .duration_ns = duration_ns}}});
  return spec;
}

TEST(RunWebSocketEndings, InterimAnswersBeforeTheHandshakesArePassedOver) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    const std::string request = talk.read_request();
    talk.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" +
              test::ws_accept(request));
    echo_ws(talk);
  });
  const RunResult result = run_ws(ws_spec(peer, 3));
  EXPECT_EQ(result.answered, 3u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(RunWebSocketEndings, LinesOfTheHandshakeMayEndWithABareLineFeed) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    std::string answer = test::ws_accept(talk.read_request());
    std::erase(answer, '\r');
    talk.send(answer);
    echo_ws(talk);
  });
  const RunResult result = run_ws(ws_spec(peer, 1));
  EXPECT_EQ(result.answered, 1u);
}

TEST(RunWebSocketEndings, HandshakesAndWhatComesBehindThemAreInTheBytes) {
  std::atomic<uint64_t> sent{0};
  std::atomic<uint64_t> received{0};
  const std::string greeting = test::ws_frame(test::kTextFrame, std::string(100, 'g'));
  ScriptedPeer peer([&](ScriptedPeer::Talk& talk) {
    const std::string request = talk.read_request();
    const std::string answer = test::ws_accept(request, greeting);
    received += request.size();
    sent += answer.size();
    talk.send(answer);
    echo_ws(talk);
  });
  const RunResult result = run_ws(ws_spec(peer, 1));
  EXPECT_EQ(result.websocket->unasked_messages, 1u);
  // A frame of ours has a mask of four bytes; the second one says farewell, with a code.
  EXPECT_EQ(result.bytes_sent, received + (2 + 4 + 5) + (2 + 4 + 2));
  // Whether the answer to the farewell came in time is the machine's affair.
  EXPECT_GE(result.bytes_received, sent + 2 + 5);
  EXPECT_LE(result.bytes_received, sent + (2 + 5) + (2 + 2));
}

// A server whose places are few: each is free again as soon as its closing handshake is over.
TEST(RunWebSocketEndings, ClosedConnectionsDoNotPileUp) {
  std::atomic<int> open{0};
  std::atomic<int> most{0};
  ScriptedPeer peer([&](ScriptedPeer::Talk& talk) {
    const int now = ++open;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    talk.send(test::ws_accept(talk.read_request()));
    echo_ws(talk);
    talk.wait_for_close();
    --open;
  });
  RunSpec spec = ws_spec(peer, 100);
  spec.connections = 2;
  spec.reconnect_after = 1;
  const RunResult result = run_ws(spec);
  EXPECT_EQ(result.answered, 100u);
  EXPECT_EQ(result.error_total(), 0u);
  // Two, and two that say farewell; the threads of the peer may notice some closes late.
  EXPECT_LE(most, 20);
}

TEST(RunWebSocketEndings, AServerThatNeverClosesIsNotWaitedForAllTheTime) {
  std::atomic<int> most{0};
  std::atomic<int> open{0};
  ScriptedPeer peer([&](ScriptedPeer::Talk& talk) {
    most = std::max<int>(most, ++open);
    talk.send(test::ws_accept(talk.read_request()));
    while (const auto frame = test::read_ws_frame(talk)) {
      if (frame->opcode == test::kTextFrame) talk.send(test::ws_frame(test::kTextFrame, "a"));
    }
    --open;
  });
  RunSpec spec = ws_spec(peer, 50);
  spec.reconnect_after = 1;
  const RunResult result = run_ws(spec);
  EXPECT_EQ(result.answered, 50u);
  EXPECT_LE(most, 20);
}

TEST(RunWebSocketEndings, AFaultIsToldOnceWithItsCode) {
  std::mutex mutex;
  std::vector<std::string> closes;
  ScriptedPeer peer([&](ScriptedPeer::Talk& talk) {
    talk.send(test::ws_accept(talk.read_request()));
    (void)test::read_ws_frame(talk);
    talk.send(test::ws_frame(test::kTextFrame, "\xFF"));
    while (const auto frame = test::read_ws_frame(talk)) {
      const std::lock_guard lock(mutex);
      if (frame->opcode == test::kCloseFrame) closes.push_back(frame->payload);
    }
  });
  const RunResult result = run_ws(ws_spec(peer, 1));
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].kind, ErrorKind::kMalformedFrame);
  EXPECT_TRUE(peer.wait_for_scripts());
  const std::lock_guard lock(mutex);
  EXPECT_EQ(closes, std::vector<std::string>{"\x03\xEF"});  // 1007
}

// Nothing can be sent to it: no request ever has a connection, and the errors must say why.
TEST(RunWebSocketEndings, AServerThatClosesAtOnceShowsAtARate) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.send(test::ws_accept(talk.read_request(), test::ws_close_frame(1001)));
    talk.wait_for_close();
  });
  const RunResult result = run_ws(ws_rate_spec(peer, 100, kSecond / 2));
  EXPECT_EQ(result.planned, 50u);
  EXPECT_EQ(result.sent, 0u);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].kind, ErrorKind::kClosedBeforeResponse);
  // Those before the first request was due included, or not.
  EXPECT_GE(result.errors[0].count + 1, result.connections_opened);
  EXPECT_GE(result.errors[0].count, 3u);
}

// The pongs that it does not read keep messages from leaving: they are late, and not lost.
TEST(RunWebSocketEndings, AServerThatReadsLateIsNoTimeout) {
  constexpr int kPings = 20'000;
  std::atomic<int> pongs{0};
  std::atomic<bool> latest{false};
  ScriptedPeer peer([&](ScriptedPeer::Talk& talk) {
    talk.send(test::ws_accept(talk.read_request()));
    for (int i = 0; i < kPings; ++i) {
      std::string payload = std::to_string(i);
      payload.resize(125, '.');
      talk.send(test::ws_frame(test::kPingFrame, payload));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(400));  // sweeps come by
    while (const auto frame = test::read_ws_frame(talk)) {
      if (frame->opcode == test::kPongFrame) {
        ++pongs;
        latest = frame->payload.starts_with(std::to_string(kPings - 1) + ".");
        continue;
      }
      talk.send(test::ws_frame(frame->opcode, frame->payload));
      if (frame->opcode == test::kCloseFrame) return;
    }
  });
  RunSpec spec = ws_rate_spec(peer, 20, kSecond / 2);
  spec.socket_buffer_bytes = 4096;
  spec.timeout_ns = 20 * kSecond;
  const RunResult result = run_ws(spec);
  EXPECT_EQ(result.answered, 10u);
  EXPECT_EQ(result.error_total(), 0u);
  EXPECT_EQ(result.websocket->pings, uint64_t{kPings});
  EXPECT_TRUE(peer.wait_for_scripts());
  EXPECT_LT(pongs, kPings);
  EXPECT_TRUE(latest);
}

}  // namespace
}  // namespace carronade
