// The reader of WebSocket frames: what it makes of bytes does not depend on how they were cut.
#include "server/message_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "server/echo_test_frames.h"
#include "server/message_log.h"

namespace carronade::server {
namespace {

std::string log_of(std::string_view bytes) {
  MessageLog whole;
  whole.feed(bytes);
  MessageLog single;
  for (const char c : bytes) {
    single.feed(std::string_view(&c, 1));
    EXPECT_LT(single.held(), 14u);  // a payload is never kept outside
  }
  EXPECT_EQ(whole.text(), single.text());
  return whole.text();
}

TEST(MessageReader, TakesMessagesOfEveryLengthForm) {
  EXPECT_EQ(log_of(text_frame("hello") + frame({.opcode = 2, .payload = std::string("\0\xff", 2)})),
            std::string("1 5 hello\n2 2 \0\xff\n", 17));
  EXPECT_EQ(log_of(text_frame("")), "1 0 \n");
  const std::string long_text(70'000, 'x');
  for (const size_t size : {125u, 126u, 127u, 65'535u, 65'536u, 70'000u}) {
    const std::string line = log_of(text_frame(long_text.substr(0, size)));
    EXPECT_TRUE(line.starts_with(fmt::format("1 {}", size))) << line;
  }
}

TEST(MessageReader, UnmasksEveryPhase) {
  std::string bytes(600, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  const std::string sent = frame({.opcode = 2, .payload = bytes});
  for (size_t cut = 8; cut < 40; ++cut) {
    MessageReader reader;
    std::string_view rest = sent;
    MessageStep step = reader.step(rest.substr(0, cut));
    EXPECT_EQ(step.kind, MessageStep::Kind::kNeedMore);
    EXPECT_EQ(step.consumed, cut);
    step = reader.step(rest.substr(cut));
    EXPECT_EQ(step.payload, bytes) << "cut at " << cut;
  }
}

TEST(MessageReader, JoinsFragmentsWithControlFramesBetween) {
  EXPECT_EQ(
      log_of(frame({.payload = "one ", .final = false}) + frame({.opcode = 9, .payload = "ping"}) +
             frame({.opcode = 0, .payload = "", .final = false}) +
             frame({.opcode = 0, .payload = "two"}) + text_frame("next")),
      "9 4 ping\n1 7 one two\n1 4 next\n");
}

TEST(MessageReader, TextIsUtf8AcrossFragments) {
  EXPECT_EQ(log_of(frame({.payload = "a\xe2", .final = false}) +
                   frame({.opcode = 0, .payload = "\x82\xac"})),
            "1 4 a\xe2\x82\xac\n");
  const std::string refused = "error 1007 a text message is not UTF-8\n";
  for (const char* bad : {"\xe2\x82", "\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf",
                          "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",
                          "12345678\xff", "\xe2(\xa1", "\xf0\x80\x80\x80"}) {
    EXPECT_EQ(log_of(text_frame(bad)), refused) << bad;
  }
  for (const char* good : {"\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "12345678\xc3\xa9 and on"}) {
    EXPECT_EQ(log_of(text_frame(good)), fmt::format("1 {} {}\n", std::string(good).size(), good));
  }
}

TEST(MessageReader, TakesPingsPongsAndCloses) {
  EXPECT_EQ(log_of(frame({.opcode = 9}) + frame({.opcode = 10, .payload = "x"})), "9 0 \na 1 x\n");
  EXPECT_EQ(log_of(frame({.opcode = 8})), "8 0  code=0\n");
  const std::string close = close_payload(1001, "bye");
  EXPECT_EQ(log_of(frame({.opcode = 8, .payload = close})),
            fmt::format("8 5 {} code=1001\n", close));
}

TEST(MessageReader, RefusesCodesThatAreNotSent) {
  for (const int code : {0, 999, 1004, 1005, 1006, 1015, 1100, 2999, 5000, 65535}) {
    EXPECT_EQ(log_of(frame({.opcode = 8, .payload = close_payload(code)})),
              "error 1002 a close frame with a code that must not be sent\n")
        << code;
  }
  EXPECT_EQ(log_of(frame({.opcode = 8, .payload = "x"})),
            "error 1002 a close frame with a code that must not be sent\n");
  EXPECT_EQ(log_of(frame({.opcode = 8, .payload = close_payload(1000, "\xff")})),
            "error 1007 a close frame's reason is not UTF-8\n");
}

TEST(MessageReader, RefusesBadFrames) {
  const std::string long_ping(126, 'p');
  const struct {
    std::string bytes;
    const char* reason;
  } cases[] = {
      {frame({.payload = "x", .masked = false}), "a frame is not masked"},
      {frame({.payload = "x", .reserved = 4}), "a reserved bit is set"},
      {frame({.payload = "x", .reserved = 1}), "a reserved bit is set"},
      {frame({.opcode = 3, .payload = "x"}), "a reserved opcode"},
      {frame({.opcode = 7, .payload = "x"}), "a reserved opcode"},
      {frame({.opcode = 11, .payload = "x"}), "a reserved opcode"},
      {frame({.opcode = 15, .payload = "x"}), "a reserved opcode"},
      {frame({.opcode = 9, .payload = "x", .final = false}), "a control frame in fragments"},
      {frame({.opcode = 9, .payload = long_ping}), "a control frame is too long"},
      {frame({.opcode = 0, .payload = "x"}), "a continuation of nothing"},
      {frame({.payload = "x", .final = false}) + text_frame("y"),
       "a new message inside another one's fragments"},
      {frame({.payload = "x", .length_bytes = 2}), "a length that is not in its shortest form"},
      {frame({.payload = "x", .length_bytes = 8}), "a length that is not in its shortest form"},
      {frame({.opcode = 2, .more_length = uint64_t{1} << 63}),
       "a length that is not in its shortest form"},
  };
  for (const auto& bad : cases) {
    EXPECT_EQ(log_of("" + bad.bytes), fmt::format("error 1002 {}\n", bad.reason));
  }
}

TEST(MessageReader, BoundsAMessage) {
  const std::string refused = "error 1009 a message is longer than 16 MiB\n";
  constexpr uint64_t kMost = MessageReader::kMessageBytesMax;
  EXPECT_EQ(log_of(frame({.opcode = 2, .more_length = kMost + 1})), refused);
  EXPECT_EQ(log_of(frame({.opcode = 2, .more_length = kMost})), "");
  const std::string half(kMost / 2, 'h');
  const std::string first = frame({.opcode = 2, .payload = half, .final = false});
  MessageLog log;
  log.feed(first);
  log.feed(frame({.opcode = 0, .payload = half}));
  EXPECT_EQ(log.text(), fmt::format("2 {}\n", kMost));
  log.feed(first);
  log.feed(frame({.opcode = 0, .payload = half + "1"}));
  EXPECT_EQ(log.text(), fmt::format("2 {}\n{}", kMost, refused));
}

}  // namespace
}  // namespace carronade::server
