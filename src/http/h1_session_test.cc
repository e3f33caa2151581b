#include "http/h1_session.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carronade::http {
namespace {

constexpr H1Expect kOne{.count = 1, .head = false};

// What transcripts cannot show: the state between reads.
class H1SessionTest : public testing::Test {
 protected:
  size_t feed(std::string_view bytes, H1Expect expect = kOne, BodySink* sink = nullptr) {
    // A copy that is gone after the call: the session must keep no pointer into it.
    const std::string copy(bytes);
    return session_.feed(copy, expect, pool_, sink, out_);
  }

  H1Session session_;
  HeadBufferPool pool_;
  H1Feed out_;
};

class RecordingSink : public BodySink {
 public:
  void on_body(std::string_view piece) override { log_ += piece; }
  void on_response_end() override { log_ += "|"; }
  const std::string& log() const { return log_; }

 private:
  std::string log_;
};

TEST_F(H1SessionTest, IsSmall) { EXPECT_LE(sizeof(H1Session), 96U); }

TEST_F(H1SessionTest, NothingExpectedNothingConsumed) {
  EXPECT_EQ(feed("HTTP/1.1 204 No\r\n\r\n", {.count = 0, .head = false}), 0U);
  EXPECT_EQ(out_.count, 0U);
  EXPECT_FALSE(out_.fault);
  EXPECT_FALSE(session_.mid_response());
}

TEST_F(H1SessionTest, StopsAfterTheExpectedCount) {
  const std::string one = "HTTP/1.1 204 No\r\n\r\n";
  EXPECT_EQ(feed(one + one + one, {.count = 2, .head = false}), 2 * one.size());
  EXPECT_EQ(out_.count, 2U);
}

TEST_F(H1SessionTest, StopsWhenTheBatchIsFull) {
  const std::string one = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  std::string bytes;
  for (int i = 0; i < 600; ++i) bytes += one;
  std::string_view rest = bytes;
  std::vector<size_t> counts;
  while (!rest.empty()) {
    const size_t used = session_.feed(rest, {.count = 1000, .head = false}, pool_, nullptr, out_);
    ASSERT_EQ(used, out_.count * one.size());
    counts.push_back(out_.count);
    rest.remove_prefix(used);
  }
  EXPECT_EQ(counts, (std::vector<size_t>{256, 256, 88}));
}

TEST_F(H1SessionTest, StopsAfterAResponseThatCloses) {
  const std::string one = "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n";
  EXPECT_EQ(feed(one + one, {.count = 2, .head = false}), one.size());
  ASSERT_EQ(out_.count, 1U);
  EXPECT_TRUE(out_.responses[0].close_after);
}

TEST_F(H1SessionTest, OutIsOverwritten) {
  feed("x");
  ASSERT_TRUE(out_.fault);
  session_.reset(pool_);
  feed("HTTP/1.1 204 No\r\n\r\n");
  EXPECT_FALSE(out_.fault);
  EXPECT_EQ(out_.count, 1U);
  feed("HTTP");
  EXPECT_EQ(out_.count, 0U);
}

TEST_F(H1SessionTest, NothingIsConsumedAfterAFault) {
  feed("bad");
  ASSERT_TRUE(out_.fault);
  EXPECT_EQ(out_.fault->kind, ErrorKind::kMalformedResponse);
  EXPECT_FALSE(session_.mid_response());
  EXPECT_EQ(feed("HTTP/1.1 204 No\r\n\r\n"), 0U);
  EXPECT_TRUE(out_.fault);
  EXPECT_EQ(out_.count, 0U);
}

TEST_F(H1SessionTest, AKnownHeadIsJudgedByWhatIsAwaitedNow) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
  EXPECT_EQ(feed(head + "ok"), head.size() + 2);
  EXPECT_EQ(feed(head, {.count = 1, .head = true}), head.size());
  ASSERT_EQ(out_.count, 1U);
  EXPECT_EQ(out_.responses[0].body_bytes, 0U);
  EXPECT_EQ(out_.responses[0].wire_bytes, head.size());
  EXPECT_EQ(feed(head + "ok"), head.size() + 2);
  ASSERT_EQ(out_.count, 1U);
  EXPECT_EQ(out_.responses[0].body_bytes, 2U);
}

TEST_F(H1SessionTest, AHeadThatDiffersByOneByteIsReadAnew) {
  feed("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  feed("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc");
  ASSERT_EQ(out_.count, 1U);
  EXPECT_EQ(out_.responses[0].body_bytes, 3U);
  feed("HTTP/1.1 201 OK\r\nContent-Length: 3\r\n\r\nabc");
  ASSERT_EQ(out_.count, 1U);
  EXPECT_EQ(out_.responses[0].status, 201);
}

TEST_F(H1SessionTest, AKnownHeadOfAnotherConnectionWithAFaultFailsAgain) {
  const std::string bad = "HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\n";
  feed(bad);
  ASSERT_TRUE(out_.fault);
  session_.reset(pool_);
  feed(bad);
  ASSERT_TRUE(out_.fault);
  EXPECT_EQ(out_.fault->kind, ErrorKind::kConflictingLength);
}

TEST_F(H1SessionTest, BeganEarlier) {
  feed("HTTP/1.1 204 No\r\n\r\n");
  EXPECT_FALSE(out_.responses[0].began_earlier);
  feed("H");
  EXPECT_TRUE(session_.mid_response());
  feed("TTP/1.1 204 No\r\n\r\nHTTP/1.1 204 No\r\n\r\n", {.count = 2, .head = false});
  ASSERT_EQ(out_.count, 2U);
  EXPECT_TRUE(out_.responses[0].began_earlier);
  EXPECT_FALSE(out_.responses[1].began_earlier);
}

TEST_F(H1SessionTest, BeganEarlierIsOfTheFinalAnswer) {
  feed("HTTP/1.1 100 Con");
  feed("tinue\r\n\r\nHTTP/1.1 204 No\r\n\r\n");
  ASSERT_EQ(out_.count, 1U);
  EXPECT_FALSE(out_.responses[0].began_earlier);
  EXPECT_EQ(out_.responses[0].wire_bytes, 44U);
}

TEST_F(H1SessionTest, MidResponseAndPartialBytes) {
  EXPECT_FALSE(session_.mid_response());
  feed("HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_FALSE(session_.mid_response());
  EXPECT_EQ(session_.partial_wire_bytes(), 25U);
  feed("HTTP/1.1 200 OK\r\n");
  EXPECT_TRUE(session_.mid_response());
  EXPECT_EQ(session_.partial_wire_bytes(), 42U);
  feed("Content-Length: 3\r\n\r\nab");
  EXPECT_TRUE(session_.mid_response());
  EXPECT_EQ(session_.partial_wire_bytes(), 65U);
  feed("c");
  EXPECT_FALSE(session_.mid_response());
  EXPECT_EQ(session_.partial_wire_bytes(), 0U);
  EXPECT_EQ(out_.responses[0].wire_bytes, 66U);
}

TEST_F(H1SessionTest, DiscardableOfALength) {
  EXPECT_EQ(session_.discardable(), 0U);
  feed("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1000\r\n\r\nab");
  EXPECT_EQ(session_.discardable(), 998U);
  session_.discarded(900, out_);
  EXPECT_EQ(out_.count, 0U);
  EXPECT_EQ(session_.discardable(), 98U);
  feed("abcdefgh");
  EXPECT_EQ(session_.discardable(), 90U);
  session_.discarded(90, out_);
  ASSERT_EQ(out_.count, 1U);
  EXPECT_EQ(out_.responses[0].body_bytes, 1000U);
  EXPECT_EQ(out_.responses[0].wire_bytes, 1060U);
  EXPECT_EQ(out_.responses[0].status, 200);
  EXPECT_TRUE(out_.responses[0].close_after);
  EXPECT_TRUE(out_.responses[0].began_earlier);
  EXPECT_EQ(session_.discardable(), 0U);
  EXPECT_FALSE(session_.mid_response());
}

TEST_F(H1SessionTest, DiscardableOfAChunkIsItsDataOnly) {
  feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n");
  EXPECT_EQ(session_.discardable(), 100U);
  session_.discarded(100, out_);
  EXPECT_EQ(out_.count, 0U);
  EXPECT_EQ(session_.discardable(), 0U);
  EXPECT_TRUE(session_.mid_response());
  feed("\r\n0\r\n\r\n");
  ASSERT_EQ(out_.count, 1U);
  EXPECT_EQ(out_.responses[0].body_bytes, 100U);
}

TEST_F(H1SessionTest, ABodyWithoutLengthIsNotDiscardable) {
  feed("HTTP/1.1 200 OK\r\n\r\nabc");
  EXPECT_EQ(session_.discardable(), 0U);
}

TEST_F(H1SessionTest, ABodyThatSomebodyHearsIsNotDiscardable) {
  RecordingSink sink;
  feed("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nab", kOne, &sink);
  EXPECT_EQ(session_.discardable(), 0U);
}

TEST_F(H1SessionTest, SinkHearsPiecesAndEnds) {
  RecordingSink sink;
  feed("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab", kOne, &sink);
  feed("cd", kOne, &sink);
  feed("HTTP/1.1 103 E\r\n\r\nHTTP/1.1 204 No\r\n\r\n", kOne, &sink);
  feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\ne\r\n2\r\nfg\r\n0\r\n\r\n", kOne,
       &sink);
  feed("HTTP/1.1 200 OK\r\n\r\nh", kOne, &sink);
  feed("i", kOne, &sink);
  session_.feed_eof(&sink, out_);
  EXPECT_EQ(sink.log(), "abcd||efg|hi|");
}

TEST_F(H1SessionTest, SinkIsNotToldTheEndOfATruncatedBody) {
  RecordingSink sink;
  feed("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab", kOne, &sink);
  session_.feed_eof(&sink, out_);
  EXPECT_EQ(out_.count, 0U);
  EXPECT_TRUE(session_.mid_response());
  EXPECT_EQ(sink.log(), "ab");
}

TEST_F(H1SessionTest, ResetForgetsAndReturnsTheBuffer) {
  auto buffer = std::make_unique<std::string>();
  buffer->reserve(500);
  const std::string* const address = buffer.get();
  pool_.give(std::move(buffer));
  feed("HTTP/1.1 200 OK\r\nContent-Le");
  EXPECT_NE(pool_.take().get(), address);
  session_.reset(pool_);
  EXPECT_FALSE(session_.mid_response());
  EXPECT_EQ(session_.partial_wire_bytes(), 0U);
  EXPECT_EQ(pool_.take().get(), address);
  feed("HTTP/1.1 204 No\r\n\r\n");
  EXPECT_EQ(out_.count, 1U);
}

TEST_F(H1SessionTest, AnIdleSessionHoldsNoBuffer) {
  auto buffer = std::make_unique<std::string>();
  const std::string* const address = buffer.get();
  pool_.give(std::move(buffer));
  feed("HTTP/1.1 200 OK\r\nContent-Le");
  feed("ngth: 5\r\n\r\nhel");
  EXPECT_EQ(pool_.take().get(), address);
}

}  // namespace
}  // namespace carronade::http
