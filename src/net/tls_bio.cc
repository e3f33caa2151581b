// HOT.
#include "net/tls_bio.h"

#include <sys/socket.h>

#include <cerrno>

#include "base/check.h"

namespace carronade::net {

namespace {

int socket_read(BIO* bio, char* into, int size) {
  auto* socket = static_cast<TlsSocket*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  if (socket->drained && socket->stop_when_drained) {
    BIO_set_retry_read(bio);
    return -1;
  }
  ssize_t got;
  do {
    got = ::recv(socket->fd, into, static_cast<size_t>(size), 0);
  } while (got < 0 && errno == EINTR);
  socket->drained = got < size;
  if (got > 0) return static_cast<int>(got);
  if (got == 0) {
    socket->eof = true;
    return 0;
  }
  if (errno == EAGAIN) {
    socket->would_block = true;
    BIO_set_retry_read(bio);
  } else {
    socket->error = errno;
  }
  return -1;
}

int socket_write(BIO* bio, const char* from, int size) {
  auto* socket = static_cast<TlsSocket*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  ssize_t sent;
  do {
    sent = ::send(socket->fd, from, static_cast<size_t>(size), MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent >= 0) return static_cast<int>(sent);
  if (errno == EAGAIN) {
    BIO_set_retry_write(bio);
  } else {
    socket->error = errno;
  }
  return -1;
}

long socket_control(BIO* bio, int command, long, void*) {
  switch (command) {
    case BIO_CTRL_EOF:
      return static_cast<TlsSocket*>(BIO_get_data(bio))->eof ? 1 : 0;
    case BIO_CTRL_FLUSH:
      return 1;
    default:
      return 0;
  }
}

// OpenSSL has few type numbers, so the method is made once for the process and kept.
const BIO_METHOD* socket_method() {
  static const BIO_METHOD* const kMethod = [] {
    BIO_METHOD* method =
        BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "carronade socket");
    CHECK(method != nullptr);
    BIO_meth_set_read(method, socket_read);
    BIO_meth_set_write(method, socket_write);
    BIO_meth_set_ctrl(method, socket_control);
    return method;
  }();
  return kMethod;
}

}  // namespace

BIO* new_tls_bio(TlsSocket* socket) {
  BIO* bio = BIO_new(socket_method());
  if (bio == nullptr) return nullptr;
  BIO_set_data(bio, socket);
  BIO_set_init(bio, 1);
  return bio;
}

}  // namespace carronade::net
