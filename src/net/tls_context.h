// OpenSSL contexts: shared settings of many TLS connections. Built once on the thread that
// sets up the run; afterwards const and shared by all workers (OpenSSL's context is
// reference-counted and locked inside). OpenSSL's names stay in net/tls_*.
#pragma once

#include <memory>
#include <string>

#include "carronade/expected.h"
#include "carronade/run_spec.h"
#include "net/transport.h"

typedef struct ssl_ctx_st SSL_CTX;

namespace carronade::net {

struct SslCtxDeleter {
  void operator()(SSL_CTX* context) const;
};

class TlsClientContext {
 public:
  // Takes certificate, key and CA from files or contents. The error names the file, or says what
  // was given as text, and OpenSSL's reason. ALPN offers http/1.1; TLS 1.2 at least,
  // ciphers and security level as the system has them, unless the spec says otherwise.
  static Expected<std::unique_ptr<TlsClientContext>> create(const TlsSpec& spec);
  // A transport for one worker and one host. `sni` is "" for none; `verify_host` is the name or
  // IP literal that the certificate must bear when verification is on, then not empty. Keeps the
  // newest session of the host for resumption when the spec allows it. `this` must outlive it.
  std::unique_ptr<Transport> make_transport(const std::string& sni,
                                            const std::string& verify_host) const;

 private:
  TlsClientContext() = default;
  std::unique_ptr<SSL_CTX, SslCtxDeleter> context_;
  bool verify_ = false;
  bool resume_ = true;
};

class TlsServerContext {
 public:
  // From PEM files; with both empty a self-signed certificate for localhost, 127.0.0.1 and ::1
  // (EC P-256, made at start, valid for a week) is used. TLS 1.2 and 1.3, sessions resumable
  // across all threads. ALPN picks http/1.1.
  static Expected<std::unique_ptr<TlsServerContext>> create(const std::string& certificate_file,
                                                            const std::string& key_file);
  // A transport whose handshake() accepts. `this` must outlive it.
  std::unique_ptr<Transport> make_transport() const;

 private:
  TlsServerContext() = default;
  std::unique_ptr<SSL_CTX, SslCtxDeleter> context_;
};

}  // namespace carronade::net
