// For tests: a client that blocks (5 s at most), reads as much of HTTP as the test server
// writes, and fails the test when something is not as it must be.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "net/address.h"
#include "net/tls_context.h"
#include "net/transport.h"
#include "server/server.h"

namespace carronade::server {

struct Reply {
  int status = 0;
  std::string head;  // status line and headers, with the empty line
  std::string body;  // without chunk framing
  bool has(std::string_view header_line) const;
};

class TestClient {
 public:
  // To the TCP port of `server`; with `tls`, over it.
  explicit TestClient(const Server& server, const net::TlsClientContext* tls = nullptr);
  explicit TestClient(const net::Address& address, const net::TlsClientContext* tls = nullptr);

  void send(std::string_view bytes);
  void get(std::string_view target);

  // The next answer; `head_only` for those to HEAD.
  Reply read(bool head_only = false);
  Reply ask(std::string_view target);

  // So many bytes of what is not HTTP.
  std::string read_bytes(size_t size);
  // False when the server has not taken all of them and reads no more for 300 ms.
  bool try_send(std::string_view bytes);

  // All that comes until the server closes.
  std::string read_to_end();
  // The server has closed and sent nothing more.
  bool at_end() { return read_to_end().empty() && ended_; }
  bool was_reset() const { return reset_; }

  void half_close();
  // Ends the connection with a reset.
  void reset();

 private:
  bool await(short events);
  bool receive();  // false at the end
  size_t find(std::string_view text);
  std::string take(size_t size);
  void read_chunks(std::string& body);

  std::unique_ptr<net::Transport> transport_;
  net::Stream stream_;
  std::string in_;
  bool ended_ = false;
  bool reset_ = false;
};

// A server on a free port that must start.
std::unique_ptr<Server> start_server(ServerSpec spec);

}  // namespace carronade::server
