// Socket system calls with the options that this program wants.
#pragma once

#include <cstdint>

#include "base/unique_fd.h"
#include "net/address.h"

namespace carronade::net {

// A non-blocking, close-on-exec stream socket; TCP_NODELAY for TCP. Invalid with errno set.
base::UniqueFd open_stream_socket(int family);

// Asks the kernel for send and receive buffers of about `bytes`; it may give others. Before
// connecting.
void set_buffer_sizes(int fd, uint32_t bytes);

// 0 when connected at once, EINPROGRESS, or the errno of the failure. A Unix socket whose
// backlog is full answers EAGAIN: callers treat it like a refusal that is worth a retry.
int start_connect(int fd, const Address& address);
// 0, or the errno that the connection attempt ended with.
int connect_result(int fd);

// Listening socket, non-blocking; for TCP SO_REUSEADDR, and SO_REUSEPORT when asked. A Unix
// socket file that nobody listens on is replaced. The error names the address and the reason.
Expected<base::UniqueFd> listen_stream(const Address& address, int backlog, bool reuse_port);
// The address that a listening socket got (port 0 resolved).
Address local_address(int fd);

}  // namespace carronade::net
