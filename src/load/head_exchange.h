// One exchange of heads on a new socket, before requests may flow: CONNECT to a proxy, the
// WebSocket handshake. Without clock or timeout: those are the Connector's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/transport.h"

namespace carronade::load {

class HeadExchange {
 public:
  enum class Step : uint8_t {
    kPending,  // call again on the next event
    kDone,     // head() is whole
    kFailed,   // error() says why
  };

  // `request` must outlive this.
  explicit HeadExchange(std::string_view request) : unsent_(request) {}

  // Writes what is left of the request and reads until the empty line behind the answer's head.
  // Interim answers before it (1xx other than 101; RFC 9110 15.2) are passed over.
  Step drive(net::Transport& transport, net::Stream& stream);

  // Status line and header lines, with the empty line.
  std::string_view head() const { return std::string_view(received_).substr(0, head_bytes_); }
  // What came behind it.
  std::string_view rest() const { return std::string_view(received_).substr(head_bytes_); }
  // Bytes so far, either way.
  uint64_t sent() const { return sent_; }
  uint64_t received() const { return received_in_all_; }
  // More may be in the socket, and no event will tell of it.
  bool unread() const { return unread_; }

  // One line without the address.
  const std::string& error() const { return error_; }

 private:
  Step fail(std::string error);
  Step read(net::Transport& transport, net::Stream& stream);
  bool find_head(size_t from);

  std::string_view unsent_;
  std::string received_;
  size_t head_bytes_ = 0;
  uint64_t sent_ = 0;
  uint64_t received_in_all_ = 0;
  bool unread_ = false;
  std::string error_;
};

}  // namespace carronade::load
