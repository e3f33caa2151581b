#include "net/tls_context.h"

#include <gtest/gtest.h>
#include <openssl/x509v3.h>

#include <fstream>
#include <string>

#include "net/net_test_support.h"
#include "net/tls_error.h"
#include "net/tls_self_signed.h"
#include "net/tls_test_files.h"
#include "net/tls_transport.h"

namespace carronade::net {
namespace {

class TlsContextTest : public testing::Test {
 protected:
  TlsContextTest()
      : identity_(std::move(*make_self_signed("server", "DNS:server.test,IP:127.0.0.1"))),
        certificate_(directory_.file("server.pem")),
        key_(directory_.file("server.key")) {
    write_certificate(identity_, certificate_);
    write_key(identity_, key_, "");
  }

  std::unique_ptr<TlsServerContext> server() {
    auto context = TlsServerContext::create(certificate_, key_);
    EXPECT_TRUE(context) << context.error().text;
    return std::move(*context);
  }

  std::string client_error(const TlsSpec& spec) {
    const auto context = TlsClientContext::create(spec);
    return context ? "" : context.error().text;
  }

  // "" when the client accepts the server's certificate, else its reason.
  std::string verify(const TlsSpec& spec, const std::string& host) {
    const auto server_context = server();
    const auto server_transport = server_context->make_transport();
    const auto client_context = TlsClientContext::create(spec);
    if (!client_context) return client_context.error().text;
    const auto client_transport = (*client_context)->make_transport("", host);
    End client(*client_transport);
    End server_end(*server_transport);
    connect_ends(client, server_end, unix_pair());
    shake_hands(client, server_end);
    if (client.result.status == IoStatus::kFail) {
      EXPECT_TRUE(client_transport->failure_is_certificate());
      EXPECT_EQ(client.result.error, 0);
    } else {
      EXPECT_EQ(client.result.status, IoStatus::kOk);
    }
    return client.failure;
  }

  TempDir directory_;
  CertificateAndKey identity_;
  std::string certificate_;
  std::string key_;
};

TEST_F(TlsContextTest, WithoutVerificationAnyCertificateWillDo) {
  EXPECT_EQ(verify(TlsSpec{}, "elsewhere.test"), "");
}

TEST_F(TlsContextTest, OwnCaFileIsTrusted) {
  EXPECT_EQ(verify(trusting({certificate_}), "server.test"), "");
  EXPECT_EQ(verify(trusting({certificate_}), "SERVER.test."), "");
  EXPECT_EQ(verify(trusting({certificate_}), "127.0.0.1"), "");
}

TEST_F(TlsContextTest, UnknownIssuerIsRefusedWithTheReason) {
  EXPECT_EQ(verify(trusting({}), "server.test"),
            "certificate verify failed: self-signed certificate");
}

TEST_F(TlsContextTest, WrongNameIsRefusedWithTheReason) {
  EXPECT_EQ(verify(trusting({certificate_}), "other.test"),
            "certificate verify failed: hostname mismatch (the certificate is not for other.test)");
  EXPECT_EQ(
      verify(trusting({certificate_}), "127.0.0.2"),
      "certificate verify failed: IP address mismatch (the certificate is not for 127.0.0.2)");
  EXPECT_NE(verify(trusting({certificate_}), "::1"), "");
}

TEST_F(TlsContextTest, SeveralCaFiles) {
  const CertificateAndKey other = std::move(*make_self_signed("other", "DNS:other.test"));
  const std::string other_file = directory_.file("other.pem");
  write_certificate(other, other_file);
  EXPECT_EQ(verify(trusting({other_file, certificate_}), "server.test"), "");
  EXPECT_NE(verify(trusting({other_file}), "server.test"), "");
}

TEST_F(TlsContextTest, FilesThatAreMissingOrHoldSomethingElse) {
  const std::string missing = directory_.file("missing.pem");
  const std::string text = directory_.file("notes.txt");
  std::ofstream(text) << "no certificate\n";
  EXPECT_EQ(client_error(trusting({missing})),
            "CA file " + missing + ": No such file or directory");
  EXPECT_EQ(client_error(trusting({text})), "CA file " + text + ": no certificate or crl found");
  EXPECT_EQ(client_error(showing(missing)),
            "client certificate " + missing + ": No such file or directory");
  EXPECT_EQ(client_error(showing(text)),
            "client certificate " + text + ": no certificate in PEM form in it");
  EXPECT_EQ(client_error(showing(certificate_, missing)),
            "client key " + missing + ": No such file or directory");
  EXPECT_EQ(client_error(showing(certificate_, text)),
            "client key " + text + ": no private key in PEM form in it");
  EXPECT_EQ(client_error(showing(certificate_)),
            "client key " + certificate_ + ": no private key in PEM form in it");
  EXPECT_EQ(client_error(showing("", key_)),
            "client key " + key_ + ": a certificate is needed with it");
}

TEST_F(TlsContextTest, KeyOfAnotherCertificate) {
  const CertificateAndKey other = std::move(*make_self_signed("other", "DNS:other.test"));
  const std::string other_key = directory_.file("other.key");
  write_key(other, other_key, "");
  EXPECT_EQ(client_error(showing(certificate_, other_key)),
            "client key " + other_key + ": does not match the certificate " + certificate_);
}

TEST_F(TlsContextTest, EncryptedKey) {
  const std::string key = directory_.file("locked.key");
  write_key(identity_, key, "sesame");
  EXPECT_EQ(client_error(showing(certificate_, key, "sesame")), "");
  EXPECT_EQ(client_error(showing(certificate_, key, "simsalabim")),
            "client key " + key + ": bad decrypt (wrong passphrase?)");
  EXPECT_EQ(client_error(showing(certificate_, key)),
            "client key " + key + ": is encrypted and needs a passphrase");
}

TEST_F(TlsContextTest, KeyInTheCertificateFile) {
  write_key(identity_, certificate_, "");
  EXPECT_EQ(client_error(showing(certificate_)), "");
}

TEST_F(TlsContextTest, Pkcs12) {
  const std::string file = directory_.file("client.p12");
  write_pkcs12(identity_, file, "sesame");
  EXPECT_EQ(client_error(showing_pkcs12(file, "sesame")), "");
  EXPECT_EQ(client_error(showing_pkcs12(file, "open")),
            "client PKCS#12 file " + file + ": mac verify failure (wrong passphrase?)");
  EXPECT_EQ(client_error(showing_pkcs12(certificate_)),
            "client PKCS#12 file " + certificate_ + ": not in PKCS#12 form");
  EXPECT_EQ(client_error(showing_pkcs12("/nowhere.p12")),
            "client PKCS#12 file /nowhere.p12: No such file or directory");
}

TEST_F(TlsContextTest, ServerFiles) {
  const std::string missing = directory_.file("missing.pem");
  const auto context = TlsServerContext::create(missing, key_);
  ASSERT_FALSE(context);
  EXPECT_EQ(context.error().text, "server certificate " + missing + ": No such file or directory");
}

TEST(TlsSelfSigned, BearsItsNamesForAWeek) {
  const auto made = make_self_signed("me", "DNS:a.test,IP:::1");
  ASSERT_TRUE(made) << made.error().text;
  X509* certificate = made->certificate.get();
  EXPECT_EQ(X509_check_host(certificate, "a.test", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(certificate, "b.test", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_ip_asc(certificate, "::1", 0), 1);
  EXPECT_EQ(X509_verify(certificate, made->key.get()), 1);
  int days = 0;
  int seconds = 0;
  ASSERT_EQ(ASN1_TIME_diff(&days, &seconds, nullptr, X509_get0_notAfter(certificate)), 1);
  EXPECT_GE(days, 6);
  EXPECT_LE(days, 7);
  EXPECT_LT(X509_cmp_current_time(X509_get0_notBefore(certificate)), 0);
  EXPECT_FALSE(make_self_signed("me", "nonsense"));
}

// Client certificates: a server of raw OpenSSL that demands one.
class ClientCertificateTest : public testing::Test {
 protected:
  ClientCertificateTest()
      : identity_(std::move(*make_self_signed("client", "DNS:client.test"))),
        context_(SSL_CTX_new(TLS_server_method())) {
    SSL_CTX* context = context_.get();
    SSL_CTX_use_cert_and_key(context, identity_.certificate.get(), identity_.key.get(), nullptr, 1);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), identity_.certificate.get());
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    prepare_tls_io(context);
  }

  // The client's first read after a handshake of both.
  std::string first_read(const TlsSpec& spec) {
    const auto client_context = std::move(*TlsClientContext::create(spec));
    const auto client_transport = client_context->make_transport("", "client.test");
    const auto server_transport = make_tls_transport({.context = context_.get(), .server = true});
    End client(*client_transport);
    End server(*server_transport);
    connect_ends(client, server, unix_pair());
    shake_hands(client, server);
    if (client.result.status == IoStatus::kFail) return client.failure;
    char buffer[16];
    const IoResult got = client_transport->read(client.stream, buffer, sizeof buffer);
    if (got.status == IoStatus::kFail) return client_transport->failure_text();
    return server.result.status == IoStatus::kOk ? "" : "the server failed: " + server.failure;
  }

  // Writes until that fails.
  std::string first_failed_write(const TlsSpec& spec) {
    const auto client_context = std::move(*TlsClientContext::create(spec));
    const auto client_transport = client_context->make_transport("", "client.test");
    const auto server_transport = make_tls_transport({.context = context_.get(), .server = true});
    End client(*client_transport);
    End server(*server_transport);
    connect_ends(client, server, unix_pair());
    shake_hands(client, server);
    const IoResult out = client_transport->write(client.stream, "GET", 3);
    if (out.status != IoStatus::kFail) return "written";
    return client_transport->failure_text();
  }

  TempDir directory_;
  CertificateAndKey identity_;
  SslCtxOwner context_;
};

TEST_F(ClientCertificateTest, IsShownToTheServer) {
  const std::string file = directory_.file("client.pem");
  write_certificate(identity_, file);
  write_key(identity_, file, "");
  EXPECT_EQ(first_read(showing(file)), "");
  const std::string bundle = directory_.file("client.p12");
  write_pkcs12(identity_, bundle, "sesame");
  EXPECT_EQ(first_read(showing_pkcs12(bundle, "sesame")), "");
}

TEST_F(ClientCertificateTest, MissingOneIsNamed) {
  EXPECT_EQ(first_read({}), "tlsv13 alert certificate required");
  EXPECT_EQ(first_failed_write({}), "tlsv13 alert certificate required");
  SSL_CTX_set_max_proto_version(context_.get(), TLS1_2_VERSION);
  EXPECT_EQ(first_read({}), "sslv3 alert handshake failure");
}

}  // namespace
}  // namespace carronade::net
