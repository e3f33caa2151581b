#include <fmt/format.h>

#include "net/tls_context.h"
#include "net/tls_error.h"
#include "net/tls_identity.h"
#include "net/tls_self_signed.h"
#include "net/tls_transport.h"

namespace carronade::net {

namespace {

constexpr unsigned char kAlpn[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
constexpr unsigned char kSessionScope[] = "carronade";

// A client that offers only other protocols gets none named, and HTTP/1.1 all the same.
int select_alpn(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                const unsigned char* offered, unsigned int offered_size, void*) {
  unsigned char* match = nullptr;
  if (SSL_select_next_proto(&match, chosen_size, kAlpn, sizeof kAlpn, offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *chosen = match;
  return SSL_TLSEXT_ERR_OK;
}

Expected<void> use_self_signed(SSL_CTX* context) {
  Expected<CertificateAndKey> made =
      make_self_signed("localhost", "DNS:localhost,IP:127.0.0.1,IP:::1");
  if (!made) return unexpected(made.error());
  if (SSL_CTX_use_cert_and_key(context, made->certificate.get(), made->key.get(), nullptr, 1) !=
      1) {
    return unexpected(fmt::format("self-signed certificate: {}", take_tls_reason()));
  }
  return {};
}

}  // namespace

Expected<std::unique_ptr<TlsServerContext>> TlsServerContext::create(
    const std::string& certificate_file, const std::string& key_file) {
  ERR_clear_error();
  SslCtxOwner context(SSL_CTX_new(TLS_server_method()));
  if (context == nullptr) return unexpected(fmt::format("TLS: {}", take_tls_reason()));
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_alpn_select_cb(context.get(), select_alpn, nullptr);
  SSL_CTX_set_session_id_context(context.get(), kSessionScope, sizeof kSessionScope - 1);
  // Tickets carry the sessions; the cache beside them would only be a lock for all threads.
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  forbid_passphrase_prompt(context.get());
  prepare_tls_io(context.get());
  const bool self_signed = certificate_file.empty() && key_file.empty();
  Expected<void> identity =
      self_signed ? use_self_signed(context.get())
                  : use_pem_identity(context.get(), "server", {certificate_file}, {key_file}, "");
  if (!identity) return unexpected(identity.error());
  std::unique_ptr<TlsServerContext> made(new TlsServerContext);
  made->context_ = std::move(context);
  return made;
}

std::unique_ptr<Transport> TlsServerContext::make_transport() const {
  return make_tls_transport({.context = context_.get(), .server = true});
}

}  // namespace carronade::net
