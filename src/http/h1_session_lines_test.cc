// What a sink that wants header lines is shown, however the bytes are split.
#include <gtest/gtest.h>

#include <string>

#include "http/h1_session.h"

namespace carronade::http {
namespace {

class LineSink : public BodySink {
 public:
  void on_head(std::string_view piece) override { head += piece; }
  void on_trailer(std::string_view piece) override { trailers += piece; }
  void on_interim() override { head.clear(); }
  void on_body(std::string_view piece) override { body += piece; }
  void on_response_end() override { ++ended; }

  std::string head, trailers, body;
  int ended = 0;
};

// Feeds `bytes` in pieces of `step`, one response at a time.
LineSink show(std::string_view bytes, size_t step, HeadBufferPool& pool) {
  H1Session session;
  H1Feed out;
  LineSink sink;
  while (!bytes.empty()) {
    const std::string piece(bytes.substr(0, step));
    const size_t used =
        session.feed(piece, {.count = 1, .head = false, .lines = true}, pool, &sink, out);
    EXPECT_FALSE(out.fault);
    bytes.remove_prefix(used);
    if (used == 0) break;
  }
  return sink;
}

const std::string kHead = "HTTP/1.1 200 OK\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 2\r\n\r\n";

TEST(H1SessionLines, AHeadIsShownAsReceivedInPiecesOfAnySize) {
  HeadBufferPool pool;
  for (size_t step = 1; step <= kHead.size() + 2; ++step) {
    const LineSink sink = show(kHead + "ok", step, pool);
    EXPECT_EQ(sink.head, kHead) << step;
    EXPECT_EQ(sink.body, "ok") << step;
    EXPECT_EQ(sink.ended, 1) << step;
  }
}

TEST(H1SessionLines, ARememberedHeadIsShownToo) {
  HeadBufferPool pool;
  (void)show(kHead + "ok", 4096, pool);
  EXPECT_EQ(show(kHead + "ok", 4096, pool).head, kHead);
}

TEST(H1SessionLines, EmptyLinesBeforeTheStatusLineAreNoPartOfTheHead) {
  HeadBufferPool pool;
  EXPECT_EQ(show("\r\n\r\n" + kHead + "ok", 3, pool).head, kHead);
}

TEST(H1SessionLines, AnInterimHeadIsForgotten) {
  HeadBufferPool pool;
  const std::string interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
  for (const size_t step : {1U, 7U, 4096U}) {
    EXPECT_EQ(show(interim + kHead + "ok", step, pool).head, kHead) << step;
  }
}

TEST(H1SessionLines, TrailersAreShownApart) {
  HeadBufferPool pool;
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string bytes = head + "2\r\nok\r\n0\r\nContent-MD5: x\r\nA: b\r\n\r\n";
  for (const size_t step : {1U, 5U, 4096U}) {
    const LineSink sink = show(bytes, step, pool);
    EXPECT_EQ(sink.head, head) << step;
    EXPECT_EQ(sink.trailers, "Content-MD5: x\r\nA: b\r\n") << step;
    EXPECT_EQ(sink.body, "ok") << step;
  }
}

}  // namespace
}  // namespace carronade::http
