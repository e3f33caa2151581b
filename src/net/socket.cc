#include "net/socket.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "base/text.h"

namespace carronade::net {

namespace {

bool is_tcp(int family) { return family == AF_INET || family == AF_INET6; }

bool set_option(int fd, int level, int option) {
  const int on = 1;
  return setsockopt(fd, level, option, &on, sizeof on) == 0;
}

tl::unexpected<Error> listen_error(const Address& address, int error) {
  return unexpected(fmt::format("listen {}: {}", address.text(), base::errno_text(error)));
}

// A socket file stays behind when its server dies. It is removed only when it is a socket and
// nobody answers on it; otherwise the reason why it must stay.
Expected<void> remove_stale_socket(const Address& address) {
  const std::string path = address.text();
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return listen_error(address, errno);
  if (!S_ISSOCK(status.st_mode)) {
    return unexpected(fmt::format("listen {}: a file that is not a socket has this name", path));
  }
  const base::UniqueFd probe = open_stream_socket(AF_UNIX);
  if (!probe.valid()) return listen_error(address, errno);
  if (start_connect(probe.get(), address) != ECONNREFUSED) {
    return unexpected(fmt::format("listen {}: already in use", path));
  }
  if (unlink(path.c_str()) != 0) return listen_error(address, errno);
  return {};
}

}  // namespace

void set_buffer_sizes(int fd, uint32_t bytes) {
  const int size = static_cast<int>(std::min<uint32_t>(bytes, INT32_MAX));
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

base::UniqueFd open_stream_socket(int family) {
  base::UniqueFd fd(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (fd.valid() && is_tcp(family)) set_option(fd.get(), IPPROTO_TCP, TCP_NODELAY);
  return fd;
}

int start_connect(int fd, const Address& address) {
  if (connect(fd, address.raw(), address.length) == 0) return 0;
  // An interrupted connect() goes on in the background.
  return errno == EINTR ? EINPROGRESS : errno;
}

int connect_result(int fd) {
  int error = 0;
  socklen_t length = sizeof error;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0) return errno;
  return error;
}

Expected<base::UniqueFd> listen_stream(const Address& address, int backlog, bool reuse_port) {
  base::UniqueFd fd = open_stream_socket(address.family());
  if (!fd.valid()) return listen_error(address, errno);
  if (is_tcp(address.family())) {
    if (!set_option(fd.get(), SOL_SOCKET, SO_REUSEADDR)) return listen_error(address, errno);
    if (reuse_port && !set_option(fd.get(), SOL_SOCKET, SO_REUSEPORT)) {
      return listen_error(address, errno);
    }
  }
  int bound = bind(fd.get(), address.raw(), address.length);
  if (bound != 0 && errno == EADDRINUSE && address.family() == AF_UNIX) {
    if (Expected<void> removed = remove_stale_socket(address); !removed) {
      return unexpected(removed.error());
    }
    bound = bind(fd.get(), address.raw(), address.length);
  }
  if (bound != 0 || listen(fd.get(), backlog) != 0) return listen_error(address, errno);
  return fd;
}

Address local_address(int fd) {
  Address address;
  address.length = sizeof address.storage;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address.storage), &address.length) != 0) {
    return Address{};
  }
  return address;
}

}  // namespace carronade::net
