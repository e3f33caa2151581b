// Sessions that a second connection resumes, with both versions of TLS.
#include <gtest/gtest.h>

#include "net/net_test_support.h"
#include "net/tls_context.h"
#include "net/tls_error.h"
#include "net/tls_self_signed.h"
#include "net/tls_transport.h"

namespace carronade::net {
namespace {

// Connects, exchanges a byte (the tickets of TLS 1.3 come with it) and closes; whether the
// connection resumed a session.
bool connect_once(Transport& client_transport, Transport& server_transport, bool abrupt = false) {
  End client(client_transport);
  End server(server_transport);
  connect_ends(client, server, unix_pair());
  shake_hands(client, server);
  EXPECT_EQ(client.result.status, IoStatus::kOk) << client.failure;
  EXPECT_EQ(server_transport.write(server.stream, "x", 1).bytes, 1u);
  char byte;
  EXPECT_EQ(client_transport.read(client.stream, &byte, 1).bytes, 1u);
  const bool resumed = client_transport.resumed(client.stream);
  EXPECT_EQ(server_transport.resumed(server.stream), resumed);
  if (!abrupt) client_transport.close(client.stream);
  if (!abrupt) server_transport.close(server.stream);
  return resumed;
}

std::unique_ptr<TlsClientContext> client_context(bool resume = true) {
  TlsSpec spec;
  spec.resume = resume;
  return std::move(*TlsClientContext::create(spec));
}

class ResumptionTest : public testing::TestWithParam<int> {
 protected:
  ResumptionTest() : identity_(std::move(*make_self_signed("localhost", "DNS:localhost"))) {}

  SslCtxOwner server_context_with(int version) {
    SslCtxOwner context(SSL_CTX_new(TLS_server_method()));
    SSL_CTX_use_cert_and_key(context.get(), identity_.certificate.get(), identity_.key.get(),
                             nullptr, 1);
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_max_proto_version(context.get(), version);
    prepare_tls_io(context.get());
    return context;
  }

  CertificateAndKey identity_;
};

TEST_P(ResumptionTest, SecondConnectionResumes) {
  const SslCtxOwner server = server_context_with(GetParam());
  const auto server_transport = make_tls_transport({.context = server.get(), .server = true});
  const auto context = client_context();
  const auto transport = context->make_transport("localhost", "localhost");
  EXPECT_FALSE(connect_once(*transport, *server_transport));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(connect_once(*transport, *server_transport)) << i;
  const auto other = context->make_transport("localhost", "localhost");
  EXPECT_FALSE(connect_once(*other, *server_transport)) << "sessions belong to one transport";
}

TEST_P(ResumptionTest, AbruptEndDoesNotBarTheSession) {
  const SslCtxOwner server = server_context_with(GetParam());
  const auto server_transport = make_tls_transport({.context = server.get(), .server = true});
  const auto context = client_context();
  const auto transport = context->make_transport("localhost", "localhost");
  EXPECT_FALSE(connect_once(*transport, *server_transport, true));
  EXPECT_TRUE(connect_once(*transport, *server_transport, true));
}

TEST_P(ResumptionTest, NoneWhenSwitchedOff) {
  const SslCtxOwner server = server_context_with(GetParam());
  const auto server_transport = make_tls_transport({.context = server.get(), .server = true});
  const auto context = client_context(false);
  const auto transport = context->make_transport("localhost", "localhost");
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(connect_once(*transport, *server_transport));
}

INSTANTIATE_TEST_SUITE_P(Versions, ResumptionTest, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION),
                         [](const auto& version) {
                           return version.param == TLS1_2_VERSION ? "Tls12" : "Tls13";
                         });

TEST(Resumption, OnAnyThreadOfOurServer) {
  const auto server = std::move(*TlsServerContext::create("", ""));
  const auto first = server->make_transport();
  const auto second = server->make_transport();
  const auto context = client_context();
  const auto transport = context->make_transport("localhost", "localhost");
  EXPECT_FALSE(connect_once(*transport, *first));
  EXPECT_TRUE(connect_once(*transport, *second));
}

}  // namespace
}  // namespace carronade::net
