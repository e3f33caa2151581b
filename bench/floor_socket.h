// What the floors do on a socket before and beside their loops.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace floors {

[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, what.c_str());
  std::exit(1);
}

// `code` is a value of errno.
[[noreturn]] inline void fail_code(const std::string& what, int code) {
  fail(what + ": " + std::generic_category().message(code));
}

// A connected socket that blocks. `host` is an IPv4 address.
inline int connect_to(const std::string& host, std::uint64_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    fail_code("cannot make a socket", errno);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
    fail("HOST must be an IPv4 address, not \"" + host + "\"");
  }
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    fail_code("cannot connect to " + host + ":" + std::to_string(port), errno);
  }
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return fd;
}

// Never waits for room, on a socket that blocks neither.
inline void send_all(int fd, std::string_view bytes) {
  const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) {
    fail_code("cannot send", errno);
  }
  if (static_cast<std::size_t>(sent) != bytes.size()) {
    fail("the socket's buffer took only part of a batch: lower DEPTH");
  }
}

// The bytes of one answer: its header block and its Content-Length. Asks on `fd`, which blocks,
// and closes it.
inline std::size_t learn_answer_size(int fd, std::string_view request) {
  send_all(fd, request);
  std::string head;
  std::size_t end = std::string::npos;
  while ((end = head.find("\r\n\r\n")) == std::string::npos) {
    char chunk[4096];
    const ssize_t got = ::recv(fd, chunk, sizeof(chunk), 0);
    if (got <= 0) {
      fail("the first answer ended before its header block did");
    }
    head.append(chunk, static_cast<std::size_t>(got));
  }
  ::close(fd);
  if (head.compare(9, 3, "200") != 0) {
    fail("the first answer is not a 200: " + head.substr(0, head.find('\r')));
  }
  constexpr std::string_view kName = "content-length:";
  for (char& c : head) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  const std::size_t name = head.find(kName);
  if (name == std::string::npos || name > end) {
    fail("the first answer has no Content-Length");
  }
  const std::size_t first = head.find_first_not_of(' ', name + kName.size());
  std::size_t length = 0;
  std::from_chars(head.data() + first, head.data() + end, length);
  return end + 4 + length;
}

}  // namespace floors
