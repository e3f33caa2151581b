#include "http/ws_frame.h"

#include <gtest/gtest.h>

#include "carronade/websocket_frame.h"
#include "http/ws_event_log.h"
#include "http/ws_session.h"

namespace carronade::http {
namespace {

// The masked "Hello" of RFC 6455 5.7.
TEST(WsFrame, TheExampleOfTheRfc) {
  std::string out;
  append_websocket_message(out, "Hello", false, 0x37FA213D);
  EXPECT_EQ(out, "\x81\x85\x37\xFA\x21\x3D\x7F\x9F\x4D\x51\x58");
}

TEST(WsFrame, IsAppended) {
  std::string out = "before";
  append_websocket_message(out, "", true, 0);
  EXPECT_EQ(out, std::string("before\x82\x80\0\0\0\0", 12));
}

TEST(WsFrame, LengthsAreWrittenInTheFewestBytes) {
  const auto header_size = [](size_t payload) {
    std::string out;
    append_websocket_message(out, std::string(payload, 'a'), true, 1);
    return out.size() - payload;
  };
  EXPECT_EQ(header_size(0), 6U);
  EXPECT_EQ(header_size(125), 6U);
  EXPECT_EQ(header_size(126), 8U);
  EXPECT_EQ(header_size(65535), 8U);
  EXPECT_EQ(header_size(65536), 14U);
}

TEST(WsFrame, EveryLengthAndMaskReadsBack) {
  std::string message;
  for (size_t size = 0; size < 70000; size = size < 300 ? size + 1 : size * 2 - 17) {
    while (message.size() < size) message += static_cast<char>(message.size() * 7 + 1);
    message.resize(size);
    for (const uint32_t mask : {0U, 0xFFFFFFFFU, 0x01020304U, 0x80000000U}) {
      std::string out;
      append_websocket_message(out, message, true, mask);
      append_websocket_message(out, "next", false, mask);
      std::string_view rest = out;
      const auto first = take_client_frame(rest);
      ASSERT_TRUE(first) << size;
      EXPECT_EQ(first->opcode, WsOpcode::kBinary);
      ASSERT_EQ(first->payload, message) << size << " " << mask;
      const auto second = take_client_frame(rest);
      ASSERT_TRUE(second) << size;
      EXPECT_EQ(second->opcode, WsOpcode::kText);
      EXPECT_EQ(second->payload, "next");
      EXPECT_TRUE(rest.empty());
    }
  }
}

TEST(WsFrame, Close) {
  std::string out;
  append_ws_close(out, 1000, 0);
  EXPECT_EQ(out, std::string("\x88\x82\0\0\0\0\x03\xE8", 8));
  out.clear();
  append_ws_close(out, 1005, 0x01010101);
  EXPECT_EQ(out, "\x88\x80\x01\x01\x01\x01");
}

}  // namespace
}  // namespace carronade::http
