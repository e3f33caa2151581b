// The TCP ports that a program listens on, found from outside: the sockets that its processes have
// open (/proc/PID/fd), looked up among those of the system (/proc/net/tcp and tcp6).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace carronade::cli {

struct ListeningPorts {
  std::vector<uint16_t> ports;  // ascending, each once
  pid_t hidden = 0;             // a process that does not let us see its sockets; 0 for none
};

// Of all processes below `root`. A socket that this process has open as well does not count: the
// program inherited it.
ListeningPorts listening_ports(pid_t root);

struct ListeningSocket {
  uint64_t inode;
  uint16_t port;
};
// The rows of /proc/net/tcp or tcp6 that are in the state LISTEN; others are passed over.
std::vector<ListeningSocket> listening_sockets(std::string_view table);

}  // namespace carronade::cli
