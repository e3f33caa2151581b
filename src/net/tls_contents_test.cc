// Certificates and keys that are given as contents instead of files.
#include <gtest/gtest.h>

#include "base/text.h"
#include "net/net_test_support.h"
#include "net/tls_context.h"
#include "net/tls_error.h"
#include "net/tls_test_files.h"
#include "net/tls_transport.h"

namespace carronade::net {
namespace {

std::string contents_of(const std::string& file) {
  const Expected<std::string> contents = base::read_file(file);
  EXPECT_TRUE(contents) << file;
  return contents.value_or("");
}

class TlsContentsTest : public testing::Test {
 protected:
  std::string certificate_of(const CertificateAndKey& identity) {
    const std::string file = fresh_file();
    write_certificate(identity, file);
    return contents_of(file);
  }
  std::string key_of(const CertificateAndKey& identity, const std::string& passphrase = "") {
    const std::string file = fresh_file();
    write_key(identity, file, passphrase);
    return contents_of(file);
  }
  std::string pkcs12_of(const CertificateAndKey& identity, const std::string& passphrase) {
    const std::string file = fresh_file();
    write_pkcs12(identity, file, passphrase);
    return contents_of(file);
  }
  std::string fresh_file() { return directory_.file(std::to_string(++files_)); }

  static std::string client_error(const TlsSpec& spec) {
    const auto context = TlsClientContext::create(spec);
    return context ? "" : context.error().text;
  }

  TempDir directory_;
  int files_ = 0;
  CertificateAndKey identity_ = std::move(*make_self_signed("me", "DNS:server.test"));
  CertificateAndKey other_ = std::move(*make_self_signed("other", "DNS:other.test"));
  std::string certificate_ = certificate_of(identity_);
  std::string key_ = key_of(identity_);
};

// How many certificates the server got, and -1 when there was no connection.
int certificates_seen(const TlsSpec& spec, const CertificateAndKey& server_identity) {
  const SslCtxOwner server_context(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* context = server_context.get();
  SSL_CTX_use_cert_and_key(context, server_identity.certificate.get(), server_identity.key.get(),
                           nullptr, 1);
  int seen = 0;
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_cert_verify_callback(
      context,
      [](X509_STORE_CTX* store, void* count) {
        *static_cast<int*>(count) = sk_X509_num(X509_STORE_CTX_get0_untrusted(store));
        return 1;
      },
      &seen);
  prepare_tls_io(context);
  auto made = TlsClientContext::create(spec);
  EXPECT_TRUE(made) << made.error().text;
  if (!made) return -1;
  const auto client_transport = (*made)->make_transport("", "server.test");
  const auto server_transport = make_tls_transport({.context = context, .server = true});
  End client(*client_transport);
  End server(*server_transport);
  connect_ends(client, server, unix_pair());
  shake_hands(client, server);
  EXPECT_EQ(client.result.status, IoStatus::kOk) << client.failure;
  EXPECT_EQ(server.result.status, IoStatus::kOk) << server.failure;
  return client.result.status == IoStatus::kOk ? seen : -1;
}

TEST_F(TlsContentsTest, TheCertificateIsShownToTheServer) {
  EXPECT_EQ(certificates_seen(TlsSpec(), identity_), 0);
  EXPECT_EQ(certificates_seen(showing_text(certificate_, key_), identity_), 1);
  EXPECT_EQ(certificates_seen(showing_text(certificate_ + key_), identity_), 1);
  EXPECT_EQ(certificates_seen(showing_text(key_ + certificate_), identity_), 1);
  TlsSpec bundle;
  bundle.pkcs12 = pkcs12_of(identity_, "sesame");
  bundle.passphrase = "sesame";
  EXPECT_EQ(certificates_seen(bundle, identity_), 1);
}

TEST_F(TlsContentsTest, TheWholeChainIsShown) {
  const std::string chain = certificate_ + "\nissued by\n" + certificate_of(other_);
  EXPECT_EQ(certificates_seen(showing_text(chain, key_), identity_), 2);
  const std::string file = fresh_file();
  write_certificate(identity_, file);
  write_certificate(other_, file);
  write_key(identity_, file, "");
  EXPECT_EQ(certificates_seen(showing(file), identity_), 2);
}

TEST_F(TlsContentsTest, AKeyFileGoesWithACertificateAsText) {
  TlsSpec spec = showing_text(certificate_);
  spec.key_file = fresh_file();
  write_key(identity_, spec.key_file, "");
  EXPECT_EQ(certificates_seen(spec, identity_), 1);
}

TEST_F(TlsContentsTest, EncryptedKey) {
  const std::string locked = key_of(identity_, "sesame");
  EXPECT_EQ(client_error(showing_text(certificate_, locked, "sesame")), "");
  EXPECT_EQ(client_error(showing_text(certificate_, locked, "simsalabim")),
            "client key (given as text): bad decrypt (wrong passphrase?)");
  EXPECT_EQ(client_error(showing_text(certificate_, locked)),
            "client key (given as text): is encrypted and needs a passphrase");
}

TEST_F(TlsContentsTest, TextThatHoldsSomethingElse) {
  EXPECT_EQ(client_error(showing_text("no certificate\n")),
            "client certificate (given as text): no certificate in PEM form in it");
  EXPECT_EQ(client_error(showing_text(certificate_)),
            "client key (given as text): no private key in PEM form in it");
  EXPECT_EQ(client_error(showing_text(certificate_, certificate_)),
            "client key (given as text): no private key in PEM form in it");
  EXPECT_EQ(client_error(showing_text("", key_)),
            "client key (given as text): a certificate is needed with it");
  EXPECT_EQ(client_error(showing_text(certificate_, key_of(other_))),
            "client key (given as text): does not match the certificate");
  EXPECT_EQ(client_error(trusting_text({"nothing"})),
            "CA certificate (given as text): no certificate in PEM form in it");
  TlsSpec bundle;
  bundle.pkcs12 = certificate_;
  EXPECT_EQ(client_error(bundle), "client PKCS#12 (given as bytes): not in PKCS#12 form");
  bundle.pkcs12 = pkcs12_of(identity_, "sesame");
  bundle.passphrase = "open";
  EXPECT_EQ(client_error(bundle),
            "client PKCS#12 (given as bytes): mac verify failure (wrong passphrase?)");
}

TEST_F(TlsContentsTest, ADamagedCertificateOfTheChainIsAnError) {
  std::string damaged = certificate_of(other_);
  damaged.replace(damaged.find('\n') + 1, 8, "AAAAAAAA");
  for (const TlsSpec& spec : {showing_text(certificate_ + damaged, key_),
                              trusting_text({certificate_, certificate_ + damaged})}) {
    const std::string error = client_error(spec);
    EXPECT_NE(error.find("(given as text): "), std::string::npos) << error;
    EXPECT_EQ(error.find("no certificate in PEM form"), std::string::npos) << error;
  }
}

// "" when the client accepts the server, else its reason.
std::string verified(const TlsSpec& spec, const std::string& certificate_file,
                     const std::string& key_file) {
  const auto server_context = TlsServerContext::create(certificate_file, key_file);
  const auto client_context = TlsClientContext::create(spec);
  if (!server_context || !client_context) return "no context";
  const auto server_transport = (*server_context)->make_transport();
  const auto client_transport = (*client_context)->make_transport("", "server.test");
  End client(*client_transport);
  End server(*server_transport);
  connect_ends(client, server, unix_pair());
  shake_hands(client, server);
  return client.failure;
}

TEST_F(TlsContentsTest, CertificatesGivenAsTextAreTrusted) {
  const std::string certificate_file = fresh_file();
  const std::string key_file = fresh_file();
  write_certificate(identity_, certificate_file);
  write_key(identity_, key_file, "");
  const auto reason = [&](const TlsSpec& spec) {
    return verified(spec, certificate_file, key_file);
  };
  const std::string other = certificate_of(other_);
  EXPECT_EQ(reason(trusting_text({certificate_})), "");
  EXPECT_EQ(reason(trusting_text({other, certificate_})), "");
  EXPECT_EQ(reason(trusting_text({other + certificate_})), "");
  EXPECT_EQ(reason(trusting_text({certificate_, certificate_})), "");
  EXPECT_EQ(reason(trusting_text({other})), "certificate verify failed: self-signed certificate");
}

}  // namespace
}  // namespace carronade::net
