// Whole runs against WebSocket servers, good ones and bad ones.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "carronade/run.h"
#include "scripted_peer.h"
#include "ws_peer.h"
#include "ws_runs.h"

namespace carronade {
namespace {

using test::run_ws;
using test::ScriptedPeer;
using test::ws_spec;
using test::WsFrame;

// Takes the handshake and sends messages back.
void echo(ScriptedPeer::Talk& talk) {
  talk.send(test::ws_accept(talk.read_request()));
  test::echo_ws(talk);
}

const ErrorCount& only_error(const RunResult& result) {
  static const ErrorCount kNone{ErrorKind::kCount_, Phase::kRead, "", 0, 0};
  EXPECT_EQ(result.errors.size(), 1u);
  return result.errors.empty() ? kNone : result.errors[0];
}

TEST(RunWebSocket, RoundTripsAreCountedUnderStatusZeroAndTheEndIsClean) {
  ScriptedPeer peer(echo);
  RunSpec spec = ws_spec(peer, 100);
  spec.connections = 4;
  const RunResult result = run_ws(spec);
  EXPECT_EQ(result.answered, 100u);
  EXPECT_EQ(result.by_status[0], 100u);
  EXPECT_EQ(result.non_2xx(), 0u);
  EXPECT_EQ(result.error_total(), 0u);
  EXPECT_EQ(result.latency.count(), 100u);
  EXPECT_EQ(result.bytes_body, 500u);
  EXPECT_EQ(result.protocol, "WebSocket");
  EXPECT_EQ(result.websocket->handshakes_tried, 4u);
  EXPECT_EQ(result.websocket->handshakes_opened, 4u);
  EXPECT_EQ(result.websocket->text_messages, 100u);
  EXPECT_EQ(result.websocket->unasked_messages, 0u);
  EXPECT_EQ(result.websocket->closes_by_code, (std::map<uint16_t, uint64_t>{{1000, 4}}));
}

TEST(RunWebSocket, TheHandshakeHasTheUsersHeadersAndTheMessageIsMasked) {
  std::mutex mutex;
  std::string request;
  WsFrame first;
  ScriptedPeer peer([&](ScriptedPeer::Talk& talk) {
    const std::string seen = talk.read_request();
    talk.send(test::ws_accept(seen));
    const auto frame = test::read_ws_frame(talk);
    if (!frame) return;
    const std::lock_guard lock(mutex);
    request = seen;
    first = *frame;
    talk.send(test::ws_frame(test::kBinaryFrame, "x"));
    talk.wait_for_close();
  });
  RunSpec spec = ws_spec(peer, 1, "/chat?a=1");
  spec.targets[0].request.headers = {{"X-Own", "1"}};
  spec.targets[0].binary_message = true;
  const RunResult result = run_ws(spec);
  EXPECT_EQ(result.websocket->binary_messages, 1u);
  const std::lock_guard lock(mutex);
  EXPECT_TRUE(request.starts_with("GET /chat?a=1 HTTP/1.1\r\n")) << request;
  EXPECT_NE(request.find("\r\nX-Own: 1\r\n"), std::string::npos) << request;
  EXPECT_EQ(first.opcode, test::kBinaryFrame);
  EXPECT_TRUE(first.masked);
  EXPECT_EQ(first.payload, "hello");
}

TEST(RunWebSocket, SeveralMessagesMayBeInFlight) {
  ScriptedPeer peer(echo);
  RunSpec spec = ws_spec(peer, 1000);
  spec.pipelining = 8;
  const RunResult result = run_ws(spec);
  EXPECT_EQ(result.answered, 1000u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(RunWebSocket, MessagesThatNobodyAskedForAnswerNothing) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    // The second one begins before the client's message and ends behind it.
    const std::string whole = test::ws_frame(test::kTextFrame, "welcome");
    talk.send(test::ws_accept(talk.read_request(), whole + whole.substr(0, 4)));
    if (!test::read_ws_frame(talk)) return;
    talk.send(whole.substr(4) + test::ws_frame(test::kTextFrame, "answer"));
    talk.wait_for_close();
  });
  const RunResult result = run_ws(ws_spec(peer, 1));
  EXPECT_EQ(result.answered, 1u);
  EXPECT_EQ(result.bytes_body, 6u);
  EXPECT_EQ(result.websocket->unasked_messages, 2u);
  EXPECT_EQ(result.websocket->text_messages, 3u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(RunWebSocket, PingsAreAnsweredBetweenMessages) {
  std::atomic<int> pongs{0};
  ScriptedPeer peer([&pongs](ScriptedPeer::Talk& talk) {
    talk.send(test::ws_accept(talk.read_request()));
    while (const auto frame = test::read_ws_frame(talk)) {
      if (frame->opcode == test::kPongFrame && frame->payload == "are you there") ++pongs;
      if (frame->opcode == test::kCloseFrame) return;
      if (frame->opcode != test::kTextFrame) continue;
      talk.send(test::ws_frame(test::kPingFrame, "are you there"));
      talk.send(test::ws_frame(test::kTextFrame, frame->payload));
    }
  });
  const RunResult result = run_ws(ws_spec(peer, 10));
  EXPECT_EQ(result.answered, 10u);
  EXPECT_EQ(result.websocket->pings, 10u);
  EXPECT_TRUE(peer.wait_for_scripts());
  EXPECT_EQ(pongs, 10);
}

TEST(RunWebSocket, ARefusedHandshakeIsAnErrorWithItsStatus) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    (void)talk.read_request();
    talk.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  });
  const RunResult result = run_ws(ws_spec(peer, 3));
  EXPECT_EQ(result.sent, 0u);
  EXPECT_EQ(only_error(result).kind, ErrorKind::kUpgradeRefused);
  EXPECT_EQ(only_error(result).phase, Phase::kUpgrade);
  EXPECT_EQ(only_error(result).count, 3u);
  EXPECT_NE(only_error(result).text.find("404"), std::string::npos) << only_error(result).text;
  EXPECT_EQ(result.websocket->handshakes_tried, 3u);
  EXPECT_EQ(result.websocket->handshakes_opened, 0u);
  EXPECT_EQ(result.websocket->refused_by_status, (std::map<uint16_t, uint64_t>{{404, 3}}));
}

TEST(RunWebSocket, AnAnswerToAnotherHandshakeIsRefused) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    (void)talk.read_request();
    talk.send(test::ws_accept("Sec-WebSocket-Key: another\r\n"));
    talk.wait_for_close();
  });
  const RunResult result = run_ws(ws_spec(peer, 1));
  EXPECT_EQ(only_error(result).kind, ErrorKind::kUpgradeRefused);
  EXPECT_TRUE(result.websocket->refused_by_status.empty());
}

TEST(RunWebSocket, SilenceInTheHandshakeEndsWithTheTimeout) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) { talk.never_read(); });
  RunSpec spec = ws_spec(peer, 1);
  spec.timeout_ns = 200'000'000;
  const RunResult result = run_ws(spec);
  EXPECT_EQ(only_error(result).kind, ErrorKind::kConnectTimeout);
  EXPECT_EQ(only_error(result).phase, Phase::kUpgrade);
}

TEST(RunWebSocket, AServerThatClosesTakesWhatIsInFlightWithIt) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.send(test::ws_accept(talk.read_request()));
    while (const auto frame = test::read_ws_frame(talk)) {
      if (frame->opcode == test::kTextFrame) talk.send(test::ws_close_frame(1011));
      if (frame->opcode == test::kCloseFrame) return;
    }
  });
  const RunResult result = run_ws(ws_spec(peer, 2));
  EXPECT_EQ(result.failed, 2u);
  EXPECT_EQ(only_error(result).kind, ErrorKind::kClosedBeforeResponse);
  EXPECT_NE(only_error(result).text.find("1011"), std::string::npos);
  EXPECT_EQ(result.websocket->closes_by_code, (std::map<uint16_t, uint64_t>{{1011, 2}}));
}

TEST(RunWebSocket, ACloseBetweenMessagesIsAReconnect) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.send(test::ws_accept(talk.read_request()));
    (void)test::read_ws_frame(talk);
    talk.send(test::ws_frame(test::kTextFrame, "bye") + test::ws_close_frame(1001));
    talk.wait_for_close();
  });
  const RunResult result = run_ws(ws_spec(peer, 3));
  EXPECT_EQ(result.answered + result.failed, 3u);
  EXPECT_EQ(result.websocket->closes_by_code.at(1001), result.connections_opened);
}

TEST(RunWebSocket, AFrameAgainstTheRulesIsAFaultAndTheServerIsTold) {
  std::atomic<int> told{0};
  ScriptedPeer peer([&told](ScriptedPeer::Talk& talk) {
    talk.send(test::ws_accept(talk.read_request()));
    (void)test::read_ws_frame(talk);
    talk.send(std::string("\xC1\x01x", 3));  // a reserved bit
    const auto frame = test::read_ws_frame(talk);
    if (frame && frame->opcode == test::kCloseFrame && frame->payload == "\x03\xEA") ++told;
  });
  const RunResult result = run_ws(ws_spec(peer, 1));
  EXPECT_EQ(only_error(result).kind, ErrorKind::kMalformedFrame);
  EXPECT_EQ(result.failed, 1u);
  EXPECT_TRUE(peer.wait_for_scripts());
  EXPECT_EQ(told, 1);
}

TEST(RunWebSocket, AFaultWithNothingInFlightIsCountedToo) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.send(test::ws_accept(talk.read_request()));
    if (!test::read_ws_frame(talk)) return;
    talk.send(test::ws_frame(test::kTextFrame, "answer") + std::string("\xC1\x01x", 3));
    talk.wait_for_close();
  });
  const RunResult result = run_ws(ws_spec(peer, 2));
  EXPECT_EQ(result.answered, 2u);
  EXPECT_EQ(only_error(result).kind, ErrorKind::kMalformedFrame);
  EXPECT_EQ(only_error(result).count, result.connections_opened);
}

TEST(RunWebSocket, AHandshakeThatIsCutIsAnErrorAtOnce) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    (void)talk.read_request();
    talk.send("HTTP/1.1 101 Swit");  // and the end of file with it
  });
  RunSpec spec = ws_spec(peer, 1);
  spec.timeout_ns = 60'000'000'000;
  const RunResult result = run_ws(spec);
  EXPECT_EQ(only_error(result).kind, ErrorKind::kUpgradeRefused);
  EXPECT_LT(result.elapsed_ns, 30'000'000'000);
}

TEST(RunWebSocket, ACutMessageIsTruncated) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.send(test::ws_accept(talk.read_request()));
    (void)test::read_ws_frame(talk);
    talk.send(test::ws_frame(test::kTextFrame, "answer").substr(0, 5));
  });
  const RunResult result = run_ws(ws_spec(peer, 1));
  EXPECT_EQ(only_error(result).kind, ErrorKind::kTruncatedResponse);
}

TEST(RunWebSocket, WorksAtARate) {
  ScriptedPeer peer(echo);
  RunSpec spec = ws_spec(peer, 1);
  spec.amount.reset();
  spec.connections = 2;
  spec.rate.emplace();
  RateSegment even{.from = 200, .to = 200, .duration_ns = 500'000'000};
  spec.rate->stages.push_back({"", {even}});
  const RunResult result = run_ws(spec);
  EXPECT_EQ(result.planned, 100u);
  EXPECT_EQ(result.answered, 100u);
  EXPECT_EQ(result.websocket->closes_by_code, (std::map<uint16_t, uint64_t>{{1000, 2}}));
}

TEST(RunWebSocket, WhatDoesNotFitIsRefused) {
  ScriptedPeer peer(echo);
  const auto refused = [&peer](auto spoil) {
    RunSpec spec = ws_spec(peer, 1);
    spoil(spec);
    return !Run::create(spec, nullptr).has_value();
  };
  EXPECT_TRUE(refused([](RunSpec& s) { s.targets[0].request.method = "POST"; }));
  EXPECT_TRUE(refused([](RunSpec& s) { s.targets[0].request.body = "\xFF"; }));
  EXPECT_TRUE(refused([](RunSpec& s) { s.ids = true; }));
  EXPECT_TRUE(refused([](RunSpec& s) { s.targets[0].sequence.resize(2); }));
  EXPECT_TRUE(refused([](RunSpec& s) {
    s.targets.push_back({*parse_url("http://127.0.0.1/"), {}});
  }));
  EXPECT_FALSE(refused([](RunSpec& s) {
    s.targets[0].request.body = "\xFF";
    s.targets[0].binary_message = true;
  }));
}

}  // namespace
}  // namespace carronade
