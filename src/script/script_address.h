// The addresses that a script looks up, tries and gives to its threads.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "carronade/url.h"

namespace carronade::script {

// Plain bytes, so that a Lua userdata can hold one.
struct SocketAddress {
  sockaddr_storage storage;
  socklen_t size;

  bool operator==(const SocketAddress& other) const;
};

// All stream addresses of `service` (a name or a number) at `host`, in the resolver's order, each
// once. The error is the resolver's reason alone. May block as long as the resolver likes.
Expected<std::vector<SocketAddress>> look_up(const std::string& host, const std::string& service);

// Makes a connection and closes it; waits for at most `timeout_ns`. The error is the system's
// reason alone.
Expected<void> try_connect(const SocketAddress& address, int64_t timeout_ns);

// "127.0.0.1:80", "[::1]:80"; without the brackets for `bare`.
std::string address_text(const SocketAddress& address, bool bare = false);

// A URL whose host is the address's literal; everything else as in parse_url's default.
Url address_url(const SocketAddress& address);

}  // namespace carronade::script
