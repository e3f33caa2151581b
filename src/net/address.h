// A socket address of any family.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade::net {

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  int family() const { return storage.ss_family; }
  const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage); }
  uint16_t port() const;  // 0 for a Unix socket
  // "127.0.0.1:80", "[::1]:80", "/run/x.sock".
  std::string text() const;

  // IPv4 or IPv6 literal (no brackets) and port; an error quotes the text.
  static Expected<Address> from_ip(std::string_view ip, uint16_t port);
  // The error says when the path is longer than the kernel allows (107 bytes).
  static Expected<Address> from_unix_path(std::string_view path);
};

}  // namespace carronade::net
