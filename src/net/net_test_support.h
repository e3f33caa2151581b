// What the tests of this folder share: pairs of connected sockets, a directory that goes away,
// and two transports driven against each other by hand.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <filesystem>
#include <string>
#include <utility>

#include "net/socket.h"
#include "net/transport.h"

namespace carronade::net {

class TempDir {
 public:
  TempDir() {
    char name[] = "/tmp/carronade_net_test_XXXXXX";
    if (mkdtemp(name) == nullptr) abort();
    path_ = name;
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

using FdPair = std::pair<base::UniqueFd, base::UniqueFd>;

inline FdPair unix_pair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0) abort();
  return {base::UniqueFd(fds[0]), base::UniqueFd(fds[1])};
}

inline void wait_ready(int fd, short events) {
  pollfd waiting{fd, events, 0};
  EXPECT_EQ(poll(&waiting, 1, 5000), 1);
}

// Two ends of a TCP connection over loopback.
inline FdPair tcp_pair() {
  auto listener = listen_stream(*Address::from_ip("127.0.0.1", 0), 1, false);
  base::UniqueFd client = open_stream_socket(AF_INET);
  start_connect(client.get(), local_address(listener->get()));
  wait_ready(listener->get(), POLLIN);
  base::UniqueFd server(accept4(listener->get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  wait_ready(client.get(), POLLOUT);
  return {std::move(client), std::move(server)};
}

struct End {
  explicit End(Transport& transport_in) : transport(transport_in) {}

  // Goes on with the handshake unless it has ended.
  void shake() {
    if (result.status == IoStatus::kRetry) result = transport.handshake(stream);
    if (result.status == IoStatus::kFail && failure.empty() && result.error == 0) {
      failure = transport.failure_text();
    }
  }

  Transport& transport;
  Stream stream;
  IoResult result{.status = IoStatus::kRetry};
  std::string failure;
};

// Both handshakes as far as they come. An end that fails closes its socket.
inline void shake_hands(End& client, End& server) {
  for (int turn = 0; turn < 20; ++turn) {
    for (End* end : {&client, &server}) {
      end->shake();
      if (end->result.status == IoStatus::kFail) end->stream.fd.reset();
    }
    if (client.result.status != IoStatus::kRetry && server.result.status != IoStatus::kRetry) {
      return;
    }
    pollfd waiting[] = {{client.stream.fd.get(), POLLIN, 0}, {server.stream.fd.get(), POLLIN, 0}};
    poll(waiting, 2, 500);
  }
}

inline void connect_ends(End& client, End& server, FdPair fds) {
  client.stream.fd = std::move(fds.first);
  server.stream.fd = std::move(fds.second);
}

}  // namespace carronade::net
