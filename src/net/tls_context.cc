#include "net/tls_context.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/tls_error.h"
#include "net/tls_identity.h"
#include "net/tls_system_trust.h"
#include "net/tls_transport.h"

namespace carronade::net {

namespace {

constexpr unsigned char kAlpn[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

int accept_any(X509_STORE_CTX*, void*) { return 1; }

Expected<void> load_trust(SSL_CTX* context, const TlsSpec& spec) {
  for (const std::string& file : spec.ca_files) {
    ERR_clear_error();
    if (SSL_CTX_load_verify_file(context, file.c_str()) != 1) {
      return unexpected(fmt::format("CA file {}: {}", file, take_tls_reason()));
    }
  }
  for (const std::string& text : spec.ca_pem) {
    if (Expected<void> trust = trust_pem_text(context, text); !trust) return trust;
  }
  const bool own = !spec.ca_files.empty() || !spec.ca_pem.empty();
  if (spec.verify && !own) return trust_system(context);
  return {};
}

// Versions and ciphers. What the user names is allowed, whatever the system's security level.
Expected<void> set_algorithms(SSL_CTX* context, const TlsSpec& spec) {
  const int usual =
      spec.max_version == 0 ? TLS1_2_VERSION : std::min<int>(TLS1_2_VERSION, spec.max_version);
  const int lowest = spec.min_version == 0 ? usual : spec.min_version;
  SSL_CTX_set_min_proto_version(context, lowest);
  if (spec.max_version != 0) SSL_CTX_set_max_proto_version(context, spec.max_version);
  if (lowest < TLS1_2_VERSION) SSL_CTX_set_security_level(context, 0);
  ERR_clear_error();
  if (!spec.ciphers.empty() && SSL_CTX_set_cipher_list(context, spec.ciphers.c_str()) != 1) {
    return unexpected(fmt::format("TLS ciphers {}: {}", spec.ciphers, take_tls_reason()));
  }
  if (!spec.ciphersuites.empty() &&
      SSL_CTX_set_ciphersuites(context, spec.ciphersuites.c_str()) != 1) {
    return unexpected(fmt::format("TLS 1.3 ciphers {}: {}", spec.ciphersuites, take_tls_reason()));
  }
  return {};
}

Expected<void> load_identity(SSL_CTX* context, const TlsSpec& spec) {
  const TlsSource pkcs12{spec.pkcs12_file, spec.pkcs12};
  if (!pkcs12.empty()) return use_pkcs12_identity(context, "client", pkcs12, spec.passphrase);
  const TlsSource certificate{spec.certificate_file, spec.certificate_pem};
  const TlsSource key{spec.key_file, spec.key_pem};
  if (certificate.empty() && key.empty()) return {};
  return use_pem_identity(context, "client", certificate, key, spec.passphrase);
}

}  // namespace

void SslCtxDeleter::operator()(SSL_CTX* context) const { SSL_CTX_free(context); }

Expected<std::unique_ptr<TlsClientContext>> TlsClientContext::create(const TlsSpec& spec) {
  ERR_clear_error();
  SslCtxOwner context(SSL_CTX_new(TLS_client_method()));
  if (context == nullptr) return unexpected(fmt::format("TLS: {}", take_tls_reason()));
  if (Expected<void> algorithms = set_algorithms(context.get(), spec); !algorithms) {
    return unexpected(algorithms.error());
  }
  SSL_CTX_set_alpn_protos(context.get(), kAlpn, sizeof kAlpn);
  forbid_passphrase_prompt(context.get());
  prepare_tls_io(context.get());
  if (spec.verify) {
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  } else {
    // SSL_VERIFY_NONE alone checks the chain all the same, for a result that nobody reads.
    SSL_CTX_set_cert_verify_callback(context.get(), accept_any, nullptr);
  }
  if (spec.resume) {
    keep_tls_sessions(context.get());
  } else {
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  }
  if (Expected<void> trust = load_trust(context.get(), spec); !trust) {
    return unexpected(trust.error());
  }
  if (Expected<void> identity = load_identity(context.get(), spec); !identity) {
    return unexpected(identity.error());
  }
  std::unique_ptr<TlsClientContext> made(new TlsClientContext);
  made->context_ = std::move(context);
  made->verify_ = spec.verify;
  made->resume_ = spec.resume;
  return made;
}

std::unique_ptr<Transport> TlsClientContext::make_transport(const std::string& sni,
                                                            const std::string& verify_host) const {
  return make_tls_transport({.context = context_.get(),
                             .sni = sni,
                             .verify_host = verify_host,
                             .verify = verify_,
                             .resume = resume_});
}

}  // namespace carronade::net
