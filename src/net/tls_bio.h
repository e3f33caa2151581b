// HOT. What OpenSSL reads from and writes to: the socket of the connection that is being served.
// OpenSSL's own socket BIO raises SIGPIPE and hides whether a read emptied the socket.
#pragma once

#include <openssl/bio.h>

#include <cstddef>

namespace carronade::net {

// The socket during one call of a transport. One per transport, not per connection, since a
// transport serves one connection at a time: begin() before each call into OpenSSL.
struct TlsSocket {
  int fd = -1;
  // Answer "would block" without a system call once the socket has been emptied.
  bool stop_when_drained = false;
  bool drained = false;      // the last recv() got less than it asked for
  bool would_block = false;  // … namely nothing
  bool eof = false;
  int error = 0;  // errno of a failed recv() or send()

  void begin(int socket_fd, bool stop) {
    *this = TlsSocket{.fd = socket_fd, .stop_when_drained = stop};
  }
};

// A BIO on `socket`, which must outlive every call made through it. Null when out of memory.
BIO* new_tls_bio(TlsSocket* socket);

}  // namespace carronade::net
