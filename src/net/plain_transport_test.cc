#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "net/net_test_support.h"
#include "net/transport.h"

namespace carronade::net {
namespace {

class PlainTransportTest : public testing::TestWithParam<bool> {
 protected:
  PlainTransportTest()
      : transport_(make_plain_transport(GetParam())), near_(*transport_), far_(*transport_) {
    connect_ends(near_, far_, GetParam() ? tcp_pair() : unix_pair());
  }

  void send_from_far(const std::string& text) {
    const IoResult sent = transport_->write(far_.stream, text.data(), text.size());
    ASSERT_EQ(sent.status, IoStatus::kOk);
    ASSERT_EQ(sent.bytes, text.size());
    wait_ready(near_.stream.fd.get(), POLLIN);
  }

  IoResult read(size_t capacity) {
    into_.resize(capacity);
    return transport_->read(near_.stream, into_.data(), capacity);
  }

  std::unique_ptr<Transport> transport_;
  End near_;
  End far_;
  std::string into_;
};

TEST_P(PlainTransportTest, HandshakeIsNothing) {
  EXPECT_EQ(transport_->handshake(near_.stream).status, IoStatus::kOk);
  EXPECT_FALSE(transport_->resumed(near_.stream));
  EXPECT_EQ(transport_->protocol(near_.stream), "");
}

TEST_P(PlainTransportTest, ShortReadHasDrainedTheSocket) {
  send_from_far("hello");
  const IoResult got = read(100);
  EXPECT_EQ(got.status, IoStatus::kOk);
  EXPECT_EQ(got.bytes, 5u);
  EXPECT_TRUE(got.drained);
  EXPECT_EQ(into_.substr(0, 5), "hello");
  EXPECT_EQ(read(100).status, IoStatus::kRetry);
}

TEST_P(PlainTransportTest, FullBufferHasNot) {
  send_from_far("hello");
  const IoResult got = read(5);
  EXPECT_EQ(got.bytes, 5u);
  EXPECT_FALSE(got.drained);
}

TEST_P(PlainTransportTest, EndOfFileIsZeroBytes) {
  transport_->close(far_.stream);
  EXPECT_FALSE(far_.stream.fd.valid());
  wait_ready(near_.stream.fd.get(), POLLIN);
  const IoResult got = read(5);
  EXPECT_EQ(got.status, IoStatus::kOk);
  EXPECT_EQ(got.bytes, 0u);
}

TEST_P(PlainTransportTest, DiscardTakesWhatReadWould) {
  EXPECT_EQ(transport_->can_discard(), GetParam());
  EXPECT_EQ(transport_->discard(near_.stream, 10).status, IoStatus::kRetry);
  send_from_far("0123456789abc");
  IoResult gone = transport_->discard(near_.stream, 10);
  EXPECT_EQ(gone.status, IoStatus::kOk);
  EXPECT_EQ(gone.bytes, 10u);
  EXPECT_FALSE(gone.drained);
  gone = transport_->discard(near_.stream, 2);
  EXPECT_EQ(gone.bytes, 2u);
  ASSERT_EQ(read(10).bytes, 1u);
  EXPECT_EQ(into_[0], 'c');
  send_from_far("xyz");
  gone = transport_->discard(near_.stream, 1'000'000);
  EXPECT_EQ(gone.bytes, 3u);
  EXPECT_TRUE(gone.drained);
  transport_->close(far_.stream);
  wait_ready(near_.stream.fd.get(), POLLIN);
  gone = transport_->discard(near_.stream, 10);
  EXPECT_EQ(gone.status, IoStatus::kOk);
  EXPECT_EQ(gone.bytes, 0u);
}

TEST_P(PlainTransportTest, FullSocketAsksForARetry) {
  const std::string much(1 << 20, 'x');
  IoResult sent{.status = IoStatus::kOk};
  for (int i = 0; i < 100 && sent.status == IoStatus::kOk; ++i) {
    sent = transport_->write(near_.stream, much.data(), much.size());
  }
  EXPECT_EQ(sent.status, IoStatus::kRetry);
}

TEST_P(PlainTransportTest, WritingToAClosedPeerFailsWithoutASignal) {
  transport_->close(far_.stream);
  IoResult sent{.status = IoStatus::kOk};
  for (int i = 0; i < 100 && sent.status == IoStatus::kOk; ++i) {
    sent = transport_->write(near_.stream, "x", 1);
    pollfd reset{near_.stream.fd.get(), 0, 0};
    poll(&reset, 1, 50);
  }
  EXPECT_EQ(sent.status, IoStatus::kFail);
  EXPECT_TRUE(sent.error == EPIPE || sent.error == ECONNRESET) << sent.error;
}

INSTANTIATE_TEST_SUITE_P(Sockets, PlainTransportTest, testing::Bool(),
                         [](const auto& tcp) { return tcp.param ? "Tcp" : "Unix"; });

}  // namespace
}  // namespace carronade::net
