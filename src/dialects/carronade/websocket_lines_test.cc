#include "dialects/carronade/websocket_lines.h"

#include <gtest/gtest.h>

#include "dialects/carronade/report_account.h"

namespace carronade::dialects {
namespace {

TEST(WebSocketLines, NothingOfARunOnHttp) { EXPECT_EQ(websocket_lines(RunResult()), ""); }

TEST(WebSocketLines, OneConnectionAndNothingElse) {
  RunResult result;
  WebSocketResult& websocket = result.websocket.emplace();
  websocket.handshakes_tried = websocket.handshakes_opened = 1;
  websocket.text_messages = 20;
  EXPECT_EQ(websocket_lines(result),
            "1 WebSocket handshake, 1 opened\nmessages received: 20 text\n");
}

TEST(WebSocketLines, NoHandshakeIsForgotten) {
  RunResult result;
  WebSocketResult& websocket = result.websocket.emplace();
  websocket.handshakes_tried = 1010;
  websocket.handshakes_opened = 1000;
  websocket.refused_by_status = {{200, 1}, {404, 2}};
  result.errors = {{ErrorKind::kUpgradeRefused, Phase::kUpgrade, "404", 3, 0},
                   {ErrorKind::kUpgradeRefused, Phase::kUpgrade, "not an answer to it", 1, 0},
                   {ErrorKind::kTimeout, Phase::kUpgrade, "timeout", 4, 0},
                   {ErrorKind::kTimeout, Phase::kTimeout, "of a message", 9, 9}};
  EXPECT_EQ(websocket_lines(result),
            "1,010 WebSocket handshakes, 1,000 opened, 3 refused (200: 1, 404: 2), "
            "5 failed otherwise, 2 not ended when the run was\n");
}

TEST(WebSocketLines, WhatCameOverTheConnections) {
  RunResult result;
  result.websocket = {.refused_by_status = {},
                      .text_messages = 2'000,
                      .binary_messages = 3,
                      .unasked_messages = 4,
                      .pings = 5,
                      .pongs = 6,
                      .closes_by_code = {{1000, 7}, {1005, 1}}};
  EXPECT_EQ(websocket_lines(result),
            "0 WebSocket handshakes, 0 opened\n"
            "messages received: 2,000 text, 3 binary (4 of them unasked); pings answered: 5; "
            "pongs: 6; close frames received: 8 (1000: 7, 1005: 1)\n");
}

TEST(WarningLine, OfWebSockets) {
  RunResult result;
  result.websocket.emplace().handshakes_tried = 5;
  EXPECT_EQ(warning_line(result, false), "warning: no WebSocket was opened\n");
  result.websocket->handshakes_opened = 1;
  EXPECT_EQ(warning_line(result, false), "warning: no message was answered\n");
  result.sent = result.answered = result.by_status[0] = 10;
  EXPECT_EQ(warning_line(result, false), "");
}

}  // namespace
}  // namespace carronade::dialects
