#include "http/ws_session.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "http/transcript.h"
#include "http/ws_event_log.h"

namespace carronade::http {
namespace {

constexpr uint8_t kText = 0x81;
constexpr uint8_t kBinary = 0x82;
constexpr uint8_t kPing = 0x89;
constexpr uint32_t kNoLimit = 1000;

std::vector<Transcript> all_transcripts() {
  std::vector<Transcript> all;
  for (const auto& entry : std::filesystem::directory_iterator("test/transcripts/websocket")) {
    Expected<std::vector<Transcript>> cases = read_transcripts(entry.path().string());
    if (!cases) {
      ADD_FAILURE() << cases.error().text;
      continue;
    }
    for (Transcript& transcript : *cases) all.push_back(std::move(transcript));
  }
  return all;
}

WsEvents run_whole(std::string_view bytes, uint32_t limit, bool with_sink) {
  return run_ws({&bytes, 1}, limit, with_sink);
}

// In long payloads cuts are only tried near both ends and here and there between.
bool worth_a_cut(size_t at, size_t size) {
  return size <= 1000 || at <= 200 || at + 10 >= size || at % 997 == 0;
}

TEST(WsTranscripts, Exist) { EXPECT_GE(all_transcripts().size(), 80U); }

TEST(WsTranscripts, Whole) {
  for (const Transcript& transcript : all_transcripts()) {
    EXPECT_EQ(run_whole(transcript.bytes, kNoLimit, true).log, transcript.log) << transcript.name;
  }
}

TEST(WsTranscripts, MessageByMessageAndUnheard) {
  for (const Transcript& transcript : all_transcripts()) {
    EXPECT_EQ(run_whole(transcript.bytes, 1, true).log, transcript.log) << transcript.name;
    EXPECT_EQ(run_whole(transcript.bytes, kNoLimit, false).log, transcript.log) << transcript.name;
  }
}

TEST(WsTranscripts, ByteByByte) {
  for (const Transcript& transcript : all_transcripts()) {
    std::vector<std::string_view> pieces;
    for (const char& c : transcript.bytes) pieces.emplace_back(&c, 1);
    EXPECT_EQ(run_ws(pieces, kNoLimit, true), run_whole(transcript.bytes, kNoLimit, true))
        << transcript.name;
  }
}

TEST(WsTranscripts, CutAtEveryPoint) {
  for (const Transcript& transcript : all_transcripts()) {
    const std::string_view bytes = transcript.bytes;
    const WsEvents whole = run_whole(bytes, kNoLimit, true);
    for (size_t at = 1; at < bytes.size(); ++at) {
      if (!worth_a_cut(at, bytes.size())) continue;
      const std::array<std::string_view, 2> pieces = {bytes.substr(0, at), bytes.substr(at)};
      ASSERT_EQ(run_ws(pieces, kNoLimit, true), whole) << transcript.name << " at " << at;
    }
  }
}

TEST(WsSession, TheSinkGetsThePayload) {
  const std::string bytes = server_frame(0x01, "one ") + server_frame(kPing, "not this") +
                            server_frame(0x80, "message") + server_frame(kBinary, "") +
                            server_frame(kText, "two");
  const WsEvents events = run_whole(bytes, kNoLimit, true);
  EXPECT_EQ(events.bodies, (std::vector<std::string>{"one message", "", "two"}));
}

class WsSessionFeed : public testing::Test {
 protected:
  size_t feed(std::string_view bytes, uint32_t limit = kNoLimit) {
    return session_.feed(bytes, limit, nullptr, answers_, out_);
  }

  WsSession session_;
  H1Feed out_;
  std::string answers_;
};

TEST_F(WsSessionFeed, StopsAtTheLimit) {
  const std::string one = server_frame(kText, "a");
  const std::string bytes = one + one + server_frame(kPing, "") + one;
  EXPECT_EQ(feed(bytes, 0), 0U);
  EXPECT_EQ(feed(bytes, 2), 2 * one.size());
  EXPECT_EQ(out_.count, 2U);
  EXPECT_EQ(answers_, "");
  EXPECT_EQ(session_.counts().text_messages, 2U);
}

TEST_F(WsSessionFeed, StopsWhenTheBatchIsFull) {
  const std::string one = server_frame(kBinary, "");
  std::string bytes;
  for (size_t i = 0; i < H1Feed::kCapacity + 5; ++i) bytes += one;
  EXPECT_EQ(feed(bytes), H1Feed::kCapacity * one.size());
  EXPECT_EQ(out_.count, H1Feed::kCapacity);
  EXPECT_EQ(feed(std::string_view(bytes).substr(H1Feed::kCapacity * one.size())), 5 * one.size());
  EXPECT_EQ(out_.count, 5U);
}

TEST_F(WsSessionFeed, TellsWhenAMessageBegan) {
  feed("\x81");
  EXPECT_TRUE(session_.mid_message());
  EXPECT_TRUE(out_.began_here);
  EXPECT_EQ(session_.partial_wire_bytes(), 1U);
  feed(
      "\x02"
      "a");
  EXPECT_FALSE(out_.began_here);
  feed("b\x82\x01");
  ASSERT_EQ(out_.count, 1U);
  EXPECT_TRUE(out_.responses[0].began_earlier);
  EXPECT_EQ(out_.responses[0].wire_bytes, 4U);
  EXPECT_TRUE(out_.began_here);
  EXPECT_TRUE(session_.mid_message());
  feed(
      "c\x82\x01"
      "d");
  ASSERT_EQ(out_.count, 2U);
  EXPECT_TRUE(out_.responses[0].began_earlier);
  EXPECT_FALSE(out_.responses[1].began_earlier);
  EXPECT_FALSE(session_.mid_message());
}

TEST_F(WsSessionFeed, APingIsNoBeginningOfAMessage) {
  feed(std::string_view("\x89\x00\x82", 3));
  EXPECT_TRUE(session_.mid_message());
  session_.reset();
  feed(
      std::string_view("\x89\x03"
                       "a",
                       3));
  EXPECT_FALSE(session_.mid_message());
  EXPECT_EQ(session_.partial_wire_bytes(), 3U);
}

TEST_F(WsSessionFeed, AfterACloseNothingIsConsumed) {
  EXPECT_FALSE(session_.closed());
  feed(server_frame(0x88, "\x03\xE8"));
  EXPECT_EQ(session_.closed(), 1000);
  EXPECT_EQ(feed(server_frame(kText, "a")), 0U);
  EXPECT_EQ(out_.count, 0U);
  EXPECT_FALSE(out_.fault);
}

TEST_F(WsSessionFeed, AfterAFaultNothingIsConsumed) {
  const std::string bytes = server_frame(kText, "a") + server_frame(0x83, "");
  feed(bytes);
  EXPECT_EQ(out_.count, 1U);
  ASSERT_TRUE(out_.fault);
  EXPECT_EQ(out_.fault->kind, ErrorKind::kMalformedFrame);
  EXPECT_EQ(feed(bytes), 0U);
  EXPECT_EQ(out_.count, 0U);
  EXPECT_TRUE(out_.fault);
}

TEST_F(WsSessionFeed, ResetIsANewConnectionWithTheOldCounts) {
  for (const std::string_view ending :
       {"\x88\x02\x03\xE8", "\x83", "\x01\x05\xC3", "\x89\x05ping", "\x82\x7F"}) {
    feed(server_frame(kPing, "a") + server_frame(kText, "b"));
    feed(ending);
    session_.reset();
    EXPECT_EQ(session_.counts().text_messages, 1U);
    session_.clear_counts();
    EXPECT_EQ(session_.counts().pings, 0U);
    EXPECT_FALSE(session_.closed());
    EXPECT_FALSE(session_.mid_message());
    EXPECT_EQ(session_.partial_wire_bytes(), 0U);
  }
  answers_.clear();
  feed(server_frame(kPing, "left") + server_frame(kText, "good"));
  EXPECT_FALSE(out_.fault);
  ASSERT_EQ(out_.count, 1U);
  EXPECT_EQ(out_.responses[0].wire_bytes, 12U);
  EXPECT_EQ(out_.responses[0].body_bytes, 4U);
  std::string_view rest = answers_;
  const auto pong = take_client_frame(rest);
  ASSERT_TRUE(pong);
  EXPECT_EQ(pong->payload, "left");
}

TEST_F(WsSessionFeed, AnswersAreMaskedDifferently) {
  feed(server_frame(kPing, std::string(8, '\0')) + server_frame(kPing, std::string(8, '\0')));
  ASSERT_EQ(answers_.size(), 2 * (2U + 4U + 8U));
  EXPECT_NE(answers_.substr(0, 14), answers_.substr(14));
}

// RFC 6455 5.5.3 lets the answer to the latest ping stand for all.
TEST_F(WsSessionFeed, PingsOfAServerThatDoesNotReadTakeBoundedMemory) {
  constexpr int kPings = 2000;
  for (int i = 0; i < kPings; ++i) {
    feed(server_frame(kPing, std::string(1 + i % 120, 'x') + std::to_string(i)));
  }
  EXPECT_EQ(session_.counts().pings, uint64_t{kPings});
  EXPECT_LE(answers_.size(), WsSession::kMostUnsent + 2 * (125 + 6));
  std::string_view rest = answers_;
  int last = -1;
  while (const auto pong = take_client_frame(rest)) {
    const int next = std::stoi(pong->payload.substr(pong->payload.find_last_of('x') + 1));
    EXPECT_GT(next, last);
    last = next;
  }
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(last, kPings - 1);
}

TEST_F(WsSessionFeed, AFaultHasTheCodeOfItsCloseFrame) {
  feed(server_frame(0x83, ""));
  EXPECT_EQ(session_.fault_code(), 1002);
  for (const std::string_view text : {"\xFF", "\xC3"}) {
    session_.reset();
    feed(server_frame(kText, text));
    ASSERT_TRUE(out_.fault);
    EXPECT_EQ(session_.fault_code(), 1007);
  }
}

TEST_F(WsSessionFeed, AHugeMessageIsOnlyCounted) {
  const std::string header("\x82\x7F\x00\x00\x00\x10\x00\x00\x00\x00", 10);  // 64 GiB
  EXPECT_EQ(feed(header), header.size());
  EXPECT_FALSE(out_.fault);
  const std::string piece(1 << 16, 'x');
  for (int i = 0; i < 16; ++i) EXPECT_EQ(feed(piece), piece.size());
  EXPECT_TRUE(session_.mid_message());
  EXPECT_EQ(session_.partial_wire_bytes(), header.size() + (16U << 16));
}

}  // namespace
}  // namespace carronade::http
