// TLS over a Stream, for both ends; made through the contexts of net/tls_context.h.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "net/transport.h"

namespace carronade::net {

struct TlsTransportOptions {
  SSL_CTX* context = nullptr;  // not owned; prepared with prepare_tls_io
  bool server = false;
  // For clients; see TlsClientContext.
  std::string sni = {};
  std::string verify_host = {};
  bool verify = false;
  bool resume = false;  // needs keep_tls_sessions on the context
};

std::unique_ptr<Transport> make_tls_transport(TlsTransportOptions options);

// The settings of a context that the transport's read and write rely on.
void prepare_tls_io(SSL_CTX* context);
// Lets each client transport of the context keep the newest session that a server gives it.
void keep_tls_sessions(SSL_CTX* context);

}  // namespace carronade::net
