#include "script/script_address.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/clock.h"
#include "base/text.h"
#include "base/unique_fd.h"

namespace carronade::script {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;

uint16_t port_of(const SocketAddress& address) {
  if (address.storage.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address.storage).sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in&>(address.storage).sin_port);
}

std::string literal_of(const SocketAddress& address) {
  char text[NI_MAXHOST] = {};
  const int failed = getnameinfo(reinterpret_cast<const sockaddr*>(&address.storage), address.size,
                                 text, sizeof text, nullptr, 0, NI_NUMERICHOST);
  return failed == 0 ? text : "?";
}

// Until the socket is connected, or `until_ns` has come.
Expected<void> wait_connected(int fd, int64_t until_ns) {
  while (true) {
    const int64_t left_ns = std::max<int64_t>(until_ns - base::now_ns(), 0);
    pollfd waiting{fd, POLLOUT, 0};
    const int ready = poll(&waiting, 1, static_cast<int>((left_ns + kNsPerMs - 1) / kNsPerMs));
    if (ready > 0) break;
    if (ready < 0 && errno != EINTR) return unexpected(base::errno_text(errno));
    if (left_ns == 0) return unexpected(base::errno_text(ETIMEDOUT));
  }
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) return unexpected(base::errno_text(error));
  return {};
}

}  // namespace

bool SocketAddress::operator==(const SocketAddress& other) const {
  return size == other.size && std::memcmp(&storage, &other.storage, size) == 0;
}

Expected<std::vector<SocketAddress>> look_up(const std::string& host, const std::string& service) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failed = getaddrinfo(host.c_str(), service.c_str(), &hints, &found);
  if (failed == EAI_SYSTEM) return unexpected(base::errno_text(errno));
  if (failed != 0) return unexpected(std::string(gai_strerror(failed)));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, freeaddrinfo);
  std::vector<SocketAddress> addresses;
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    SocketAddress address{};
    if (entry->ai_addrlen > sizeof address.storage) continue;
    std::memcpy(&address.storage, entry->ai_addr, entry->ai_addrlen);
    address.size = entry->ai_addrlen;
    if (std::find(addresses.begin(), addresses.end(), address) == addresses.end()) {
      addresses.push_back(address);
    }
  }
  return addresses;
}

Expected<void> try_connect(const SocketAddress& address, int64_t timeout_ns) {
  const int64_t until_ns = base::now_ns() + timeout_ns;
  const base::UniqueFd socket(
      ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return unexpected(base::errno_text(errno));
  const auto* const to = reinterpret_cast<const sockaddr*>(&address.storage);
  if (connect(socket.get(), to, address.size) == 0) return {};
  if (errno != EINPROGRESS) return unexpected(base::errno_text(errno));
  return wait_connected(socket.get(), until_ns);
}

std::string address_text(const SocketAddress& address, bool bare) {
  const std::string literal = literal_of(address);
  const bool brackets = address.storage.ss_family == AF_INET6 && !bare;
  return (brackets ? "[" + literal + "]" : literal) + ":" + std::to_string(port_of(address));
}

Url address_url(const SocketAddress& address) {
  Url url;
  url.host = literal_of(address);
  url.host_is_ip = true;
  url.port = port_of(address);
  url.port_written = true;
  return url;
}

}  // namespace carronade::script
