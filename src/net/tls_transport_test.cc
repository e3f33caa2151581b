#include "net/tls_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <vector>

#include "net/loop.h"
#include "net/net_test_support.h"
#include "net/tls_context.h"
#include "net/tls_error.h"

namespace carronade::net {
namespace {

constexpr int64_t kLongNs = 10'000'000'000;

std::string random_bytes(size_t size) {
  std::mt19937 random(7357);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

class TlsTransportTest : public testing::Test {
 protected:
  TlsTransportTest()
      : server_context_(std::move(*TlsServerContext::create("", ""))),
        client_context_(std::move(*TlsClientContext::create(TlsSpec{}))),
        server_transport_(server_context_->make_transport()),
        client_transport_(client_context_->make_transport("localhost", "localhost")),
        client_(*client_transport_),
        server_(*server_transport_) {}

  void establish(FdPair fds) {
    connect_ends(client_, server_, std::move(fds));
    shake_hands(client_, server_);
    ASSERT_EQ(client_.result.status, IoStatus::kOk) << client_.failure;
    ASSERT_EQ(server_.result.status, IoStatus::kOk) << server_.failure;
  }

  IoResult read_client(size_t capacity) {
    into_.resize(capacity);
    return client_transport_->read(client_.stream, into_.data(), capacity);
  }

  void write_server(const std::string& text) {
    const IoResult sent = server_transport_->write(server_.stream, text.data(), text.size());
    ASSERT_EQ(sent.status, IoStatus::kOk);
    ASSERT_EQ(sent.bytes, text.size());
  }

  std::unique_ptr<TlsServerContext> server_context_;
  std::unique_ptr<TlsClientContext> client_context_;
  std::unique_ptr<Transport> server_transport_;
  std::unique_ptr<Transport> client_transport_;
  End client_;
  End server_;
  std::string into_;
};

TEST_F(TlsTransportTest, HandshakeAgreesOnTls13AndHttp11) {
  establish(unix_pair());
  EXPECT_EQ(client_transport_->protocol(client_.stream), "TLSv1.3");
  EXPECT_EQ(server_transport_->protocol(server_.stream), "TLSv1.3");
  EXPECT_FALSE(client_transport_->resumed(client_.stream));
  EXPECT_FALSE(client_transport_->can_discard());
  const unsigned char* protocol = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(client_.stream.ssl.get(), &protocol, &size);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(protocol), size), "http/1.1");
  EXPECT_STREQ(SSL_get_servername(server_.stream.ssl.get(), TLSEXT_NAMETYPE_host_name),
               "localhost");
}

TEST_F(TlsTransportTest, TellsWhatTheHandshakeAgreedOn) {
  EXPECT_FALSE(client_transport_->facts(client_.stream));
  establish(unix_pair());
  const auto facts = client_transport_->facts(client_.stream);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->protocol, "TLSv1.3");
  EXPECT_TRUE(facts->cipher.starts_with("TLS_")) << facts->cipher;
  EXPECT_GE(facts->cipher_bits, 128);
  EXPECT_EQ(facts->peer_key_bits, 256);  // EC P-256
  EXPECT_NE(facts->temporary_key, "");
  EXPECT_GE(facts->temporary_key_bits, 253);
}

TEST_F(TlsTransportTest, VersionAndCiphersAreTheUsers) {
  TlsSpec spec;
  spec.max_version = 0x0303;
  spec.ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256";
  const auto context = TlsClientContext::create(spec);
  ASSERT_TRUE(context) << context.error().text;
  const auto transport = (*context)->make_transport("", "127.0.0.1");
  End client(*transport);
  connect_ends(client, server_, unix_pair());
  shake_hands(client, server_);
  ASSERT_EQ(client.result.status, IoStatus::kOk);
  const auto facts = transport->facts(client.stream);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->protocol, "TLSv1.2");
  EXPECT_EQ(facts->cipher, "ECDHE-ECDSA-AES128-GCM-SHA256");
  spec.ciphers = "NO-SUCH-CIPHER";
  const auto unknown = TlsClientContext::create(spec);
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(unknown.error().text.starts_with("TLS ciphers NO-SUCH-CIPHER: "));
}

TEST_F(TlsTransportTest, EmptySniSendsNone) {
  const auto silent = client_context_->make_transport("", "127.0.0.1");
  End client(*silent);
  connect_ends(client, server_, unix_pair());
  shake_hands(client, server_);
  ASSERT_EQ(client.result.status, IoStatus::kOk);
  EXPECT_EQ(SSL_get_servername(server_.stream.ssl.get(), TLSEXT_NAMETYPE_host_name), nullptr);
}

// The last dot of a name belongs to DNS and is no part of SNI.
TEST_F(TlsTransportTest, SniHasNoLastDot) {
  const auto dotted = client_context_->make_transport("localhost.", "localhost.");
  End client(*dotted);
  connect_ends(client, server_, unix_pair());
  shake_hands(client, server_);
  EXPECT_STREQ(SSL_get_servername(server_.stream.ssl.get(), TLSEXT_NAMETYPE_host_name),
               "localhost");
}

TEST_F(TlsTransportTest, EchoesAMegabyteThroughSmallBuffers) {
  establish(unix_pair());
  const std::string sent = random_bytes(1 << 20);
  std::string echoed;
  std::string pending;
  size_t written = 0;
  std::string buffer(1000, '\0');
  int turns = 0;
  while (echoed.size() < sent.size() && ++turns < 1'000'000) {
    if (written < sent.size()) {
      const size_t chunk = std::min<size_t>(sent.size() - written, 30'000);
      const IoResult out = client_transport_->write(client_.stream, &sent[written], chunk);
      ASSERT_NE(out.status, IoStatus::kFail);
      written += out.bytes;
    }
    const IoResult in = server_transport_->read(server_.stream, buffer.data(), buffer.size());
    ASSERT_NE(in.status, IoStatus::kFail);
    pending.append(buffer, 0, in.bytes);
    if (!pending.empty()) {
      const std::string moved = pending;  // another address at each retry
      const IoResult out = server_transport_->write(server_.stream, moved.data(), moved.size());
      ASSERT_NE(out.status, IoStatus::kFail);
      pending.erase(0, out.bytes);
    }
    const IoResult back = read_client(700);
    ASSERT_NE(back.status, IoStatus::kFail);
    echoed.append(into_, 0, back.bytes);
  }
  EXPECT_TRUE(echoed == sent) << echoed.size() << " bytes after " << turns << " turns";
}

// Reads only after an event or when the last answer was "not drained", as the worker does.
TEST_F(TlsTransportTest, DrainedNeverStalls) {
  establish(tcp_pair());
  Loop loop;
  ASSERT_TRUE(loop.add(client_.stream.fd.get(), 1));
  ASSERT_TRUE(loop.add(server_.stream.fd.get(), 2));
  const std::string sent = random_bytes(4 << 20);
  std::mt19937 random(1);
  std::string got;
  size_t written = 0;
  bool can_write = true;
  bool must_read = false;
  while (got.size() < sent.size()) {
    if (can_write && written < sent.size()) {
      const size_t chunk = std::min<size_t>(sent.size() - written, 1 + random() % 50'000);
      const IoResult out = server_transport_->write(server_.stream, &sent[written], chunk);
      ASSERT_NE(out.status, IoStatus::kFail);
      written += out.bytes;
      can_write = out.status == IoStatus::kOk && out.bytes == chunk;
    }
    const bool idle = !must_read && (!can_write || written == sent.size());
    const auto events = loop.wait(idle ? kLongNs : 0);
    ASSERT_FALSE(idle && events.empty()) << "stalled at " << got.size();
    for (const Loop::Event& event : events) {
      if (event.token == 1 && event.readable()) must_read = true;
      if (event.token == 2 && event.writable()) can_write = true;
    }
    if (!must_read) continue;
    const IoResult in = read_client(1 + random() % 40'000);
    ASSERT_NE(in.status, IoStatus::kFail);
    got.append(into_, 0, in.bytes);
    must_read = in.status == IoStatus::kOk && !in.drained;
  }
  EXPECT_TRUE(got == sent);
}

TEST_F(TlsTransportTest, OneReadTakesAllAndKnowsItIsDrained) {
  establish(unix_pair());
  write_server("one ");
  write_server("two ");
  write_server("three");
  const IoResult got = read_client(100);
  EXPECT_EQ(got.bytes, 13u);
  EXPECT_TRUE(got.drained);
  EXPECT_EQ(into_.substr(0, 13), "one two three");
  EXPECT_EQ(read_client(100).status, IoStatus::kRetry);
}

TEST_F(TlsTransportTest, FullBufferIsNotDrained) {
  establish(unix_pair());
  write_server("0123456789");
  IoResult got = read_client(4);
  EXPECT_EQ(got.bytes, 4u);
  EXPECT_FALSE(got.drained);
  got = read_client(100);
  EXPECT_EQ(got.bytes, 6u);
  EXPECT_TRUE(got.drained);
}

TEST_F(TlsTransportTest, DiscardThrowsBytesAway) {
  establish(unix_pair());
  write_server("0123456789abc");
  const IoResult gone = client_transport_->discard(client_.stream, 10);
  EXPECT_EQ(gone.bytes, 10u);
  EXPECT_FALSE(gone.drained);
  ASSERT_EQ(read_client(10).bytes, 3u);
  EXPECT_EQ(into_.substr(0, 3), "abc");
}

// The client's first request may travel with the end of its handshake.
TEST_F(TlsTransportTest, BytesThatCameWithTheHandshakeAreAnnounced) {
  connect_ends(client_, server_, unix_pair());
  client_.shake();
  server_.shake();
  client_.shake();
  ASSERT_EQ(client_.result.status, IoStatus::kOk);
  ASSERT_EQ(server_.result.status, IoStatus::kRetry);
  ASSERT_EQ(client_transport_->write(client_.stream, "GET", 3).bytes, 3u);
  server_.shake();
  ASSERT_EQ(server_.result.status, IoStatus::kOk);
  EXPECT_FALSE(server_.result.drained);
  char buffer[10];
  EXPECT_EQ(server_transport_->read(server_.stream, buffer, sizeof buffer).bytes, 3u);
}

TEST_F(TlsTransportTest, GoodbyeIsEndOfFile) {
  establish(unix_pair());
  write_server("bye");
  server_transport_->close(server_.stream);
  EXPECT_FALSE(server_.stream.fd.valid());
  IoResult got = read_client(100);
  EXPECT_EQ(got.bytes, 3u);
  got = read_client(100);
  EXPECT_EQ(got.status, IoStatus::kOk);
  EXPECT_EQ(got.bytes, 0u);
}

TEST_F(TlsTransportTest, CloseWithoutGoodbyeIsEndOfFile) {
  establish(unix_pair());
  write_server("bye");
  server_.stream.fd.reset();
  EXPECT_EQ(read_client(100).bytes, 3u);
  const IoResult got = read_client(100);
  EXPECT_EQ(got.status, IoStatus::kOk);
  EXPECT_EQ(got.bytes, 0u);
}

TEST_F(TlsTransportTest, ResetIsAFailureWithErrno) {
  establish(tcp_pair());
  const linger at_once{1, 0};
  setsockopt(server_.stream.fd.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  server_.stream.fd.reset();
  wait_ready(client_.stream.fd.get(), 0);  // the hang-up, not the tickets before it
  IoResult got = read_client(100);
  EXPECT_EQ(got.status, IoStatus::kFail);
  EXPECT_EQ(got.error, ECONNRESET);
}

// A broken record behind good bytes: the bytes first, then the failure, and it stays.
TEST_F(TlsTransportTest, FailureBehindBytesComesAfterThem) {
  establish(unix_pair());
  write_server("good");
  const std::string header("\x17\x03\x03\x00\x20", 5);
  const std::string broken = header + std::string(32, 'x');
  ASSERT_EQ(send(server_.stream.fd.get(), broken.data(), broken.size(), 0), 37);
  IoResult got = read_client(100);
  EXPECT_EQ(got.status, IoStatus::kOk);
  EXPECT_EQ(got.bytes, 4u);
  EXPECT_FALSE(got.drained);
  for (int i = 0; i < 2; ++i) {
    got = read_client(100);
    EXPECT_EQ(got.status, IoStatus::kFail);
    EXPECT_EQ(got.error, 0);
    EXPECT_EQ(client_transport_->failure_text(), "decryption failed or bad record mac");
    EXPECT_FALSE(client_transport_->failure_is_certificate());
  }
}

TEST_F(TlsTransportTest, WritingToAClosedPeerFails) {
  establish(unix_pair());
  server_.stream.fd.reset();
  const IoResult out = client_transport_->write(client_.stream, "x", 1);
  EXPECT_EQ(out.status, IoStatus::kFail);
  EXPECT_EQ(out.error, EPIPE);
}

TEST_F(TlsTransportTest, PlainTextPeerIsNamed) {
  FdPair fds = unix_pair();
  const std::string answer = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";
  ASSERT_EQ(send(fds.second.get(), answer.data(), answer.size(), 0),
            static_cast<ssize_t>(answer.size()));
  client_.stream.fd = std::move(fds.first);
  client_.shake();
  client_.shake();
  EXPECT_EQ(client_.result.status, IoStatus::kFail);
  EXPECT_EQ(client_.result.error, 0);
  EXPECT_EQ(client_.failure, "wrong version number (the server does not speak TLS here)");
}

TEST_F(TlsTransportTest, EndOfFileInsideTheHandshakeIsNamed) {
  FdPair fds = unix_pair();
  client_.stream.fd = std::move(fds.first);
  client_.shake();
  EXPECT_EQ(client_.result.status, IoStatus::kRetry);
  char hello[4096];
  ASSERT_GT(recv(fds.second.get(), hello, sizeof hello, 0), 0);
  fds.second.reset();
  client_.shake();
  EXPECT_EQ(client_.result.status, IoStatus::kFail);
  EXPECT_EQ(client_.result.error, 0);
  EXPECT_EQ(client_.failure, "closed by the server during the TLS handshake");
  client_transport_->close(client_.stream);
  EXPECT_EQ(client_.stream.ssl, nullptr);
}

TEST_F(TlsTransportTest, ResetInsideTheHandshakeHasErrno) {
  connect_ends(client_, server_, tcp_pair());
  client_.shake();
  const linger at_once{1, 0};
  setsockopt(server_.stream.fd.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  server_.stream.fd.reset();
  wait_ready(client_.stream.fd.get(), 0);  // the hang-up, not the tickets before it
  client_.shake();
  EXPECT_EQ(client_.result.status, IoStatus::kFail);
  EXPECT_EQ(client_.result.error, ECONNRESET);
}

// One transport serves many connections at once, in any order.
TEST_F(TlsTransportTest, InterleavedConnections) {
  establish(unix_pair());
  End client2(*client_transport_);
  End server2(*server_transport_);
  connect_ends(client2, server2, unix_pair());
  client2.shake();
  write_server("first");
  EXPECT_EQ(read_client(100).bytes, 5u);
  shake_hands(client2, server2);
  ASSERT_EQ(client2.result.status, IoStatus::kOk);
  write_server("again");
  EXPECT_EQ(server_transport_->write(server2.stream, "second", 6).bytes, 6u);
  EXPECT_EQ(read_client(100).bytes, 5u);
  char buffer[100];
  EXPECT_EQ(client_transport_->read(client2.stream, buffer, sizeof buffer).bytes, 6u);
}

}  // namespace
}  // namespace carronade::net
