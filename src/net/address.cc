#include "net/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>

namespace carronade::net {

namespace {

constexpr size_t kPathOffset = offsetof(sockaddr_un, sun_path);

// A name of a network interface or its number; 0 when there is no such interface.
uint32_t scope_id(const std::string& scope) {
  uint32_t number = 0;
  const char* end = scope.data() + scope.size();
  const auto parsed = std::from_chars(scope.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end) return number;
  return if_nametoindex(scope.c_str());
}

std::string ipv6_text(const sockaddr_in6& address) {
  char digits[INET6_ADDRSTRLEN] = "";
  inet_ntop(AF_INET6, &address.sin6_addr, digits, sizeof digits);
  std::string scope;
  if (address.sin6_scope_id != 0) {
    char name[IF_NAMESIZE] = "";
    if (if_indextoname(address.sin6_scope_id, name) != nullptr) {
      scope = fmt::format("%{}", name);
    } else {
      scope = fmt::format("%{}", address.sin6_scope_id);
    }
  }
  return fmt::format("[{}{}]:{}", digits, scope, ntohs(address.sin6_port));
}

std::string unix_text(const sockaddr_un& address, socklen_t length) {
  if (length <= kPathOffset) return "(unnamed Unix socket)";
  const std::string_view path(address.sun_path, length - kPathOffset);
  if (path.front() == '\0') return fmt::format("@{}", path.substr(1));  // Linux: abstract name
  return std::string(path.substr(0, path.find('\0')));
}

}  // namespace

uint16_t Address::port() const {
  if (family() == AF_INET) {
    return ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
  }
  if (family() == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port);
  }
  return 0;
}

std::string Address::text() const {
  switch (family()) {
    case AF_INET: {
      char digits[INET_ADDRSTRLEN] = "";
      const auto* v4 = reinterpret_cast<const sockaddr_in*>(&storage);
      inet_ntop(AF_INET, &v4->sin_addr, digits, sizeof digits);
      return fmt::format("{}:{}", digits, port());
    }
    case AF_INET6:
      return ipv6_text(*reinterpret_cast<const sockaddr_in6*>(&storage));
    case AF_UNIX:
      return unix_text(*reinterpret_cast<const sockaddr_un*>(&storage), length);
    default:
      return "(no address)";
  }
}

Expected<Address> Address::from_ip(std::string_view ip, uint16_t port) {
  const size_t percent = ip.find('%');
  const std::string digits(ip.substr(0, percent));
  const bool terminated_inside = digits.find('\0') != std::string::npos;
  Address address;

  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  if (!terminated_inside && percent == std::string_view::npos &&
      inet_pton(AF_INET, digits.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    address.length = sizeof *v4;
    return address;
  }

  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (!terminated_inside && inet_pton(AF_INET6, digits.c_str(), &v6->sin6_addr) == 1) {
    if (percent != std::string_view::npos) {
      const std::string scope(ip.substr(percent + 1));
      v6->sin6_scope_id = scope_id(scope);
      if (v6->sin6_scope_id == 0) {
        return unexpected(fmt::format("no network interface \"{}\" for address {}", scope, ip));
      }
    }
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    address.length = sizeof *v6;
    return address;
  }
  return unexpected(fmt::format("not an IP address: \"{}\"", ip));
}

Expected<Address> Address::from_unix_path(std::string_view path) {
  Address address;
  auto* local = reinterpret_cast<sockaddr_un*>(&address.storage);
  constexpr size_t kLongest = sizeof local->sun_path - 1;
  if (path.empty()) return unexpected("the path of the Unix socket is empty");
  if (path.size() > kLongest) {
    return unexpected(fmt::format("Unix socket {}: the path has {} bytes, the kernel allows {}",
                                  path, path.size(), kLongest));
  }
  if (path.find('\0') != std::string_view::npos) {
    return unexpected("the path of the Unix socket contains a zero byte");
  }
  local->sun_family = AF_UNIX;
  std::copy(path.begin(), path.end(), local->sun_path);
  address.length = static_cast<socklen_t>(kPathOffset + path.size() + 1);
  return address;
}

}  // namespace carronade::net
