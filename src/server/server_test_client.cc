#include "server/server_test_client.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <utility>

#include "net/socket.h"

namespace carronade::server {

bool Reply::has(std::string_view header_line) const {
  return head.find(fmt::format("\r\n{}\r\n", header_line)) != std::string::npos;
}

TestClient::TestClient(const Server& server, const net::TlsClientContext* tls)
    : TestClient(*net::Address::from_ip("127.0.0.1", server.port()), tls) {}

TestClient::TestClient(const net::Address& address, const net::TlsClientContext* tls)
    : transport_(tls ? tls->make_transport("", "")
                     : net::make_plain_transport(address.family() != AF_UNIX)) {
  stream_.fd = net::open_stream_socket(address.family());
  net::start_connect(stream_.fd.get(), address);
  if (!await(POLLOUT)) return;
  EXPECT_EQ(net::connect_result(stream_.fd.get()), 0);
  while (transport_->handshake(stream_).status == net::IoStatus::kRetry && await(POLLIN)) {
  }
}

void TestClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const net::IoResult result = transport_->write(stream_, bytes.data(), bytes.size());
    ASSERT_NE(result.status, net::IoStatus::kFail) << "write failed";
    if (result.status == net::IoStatus::kOk) bytes.remove_prefix(result.bytes);
    if (result.status == net::IoStatus::kRetry && !await(POLLOUT)) return;
  }
}

void TestClient::get(std::string_view target) {
  send(fmt::format("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target));
}

Reply TestClient::read(bool head_only) {
  Reply reply;
  const size_t end = find("\r\n\r\n");
  if (end == std::string::npos) return reply;
  reply.head = take(end + 4);
  reply.status = std::stoi(reply.head.substr(reply.head.find(' ')));
  if (head_only || reply.status < 200 || reply.status == 204 || reply.status == 304) {
    return reply;
  }
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  if (reply.has("Transfer-Encoding: chunked")) {
    read_chunks(reply.body);
  } else if (const size_t at = reply.head.find(kLength); at != std::string::npos) {
    const size_t length = std::stoull(reply.head.substr(at + kLength.size()));
    while (in_.size() < length && receive()) {
    }
    reply.body = take(length);
  } else {
    reply.body = read_to_end();
  }
  return reply;
}

Reply TestClient::ask(std::string_view target) {
  get(target);
  return read();
}

std::string TestClient::read_bytes(size_t size) {
  while (in_.size() < size && receive()) {
  }
  return take(size);
}

bool TestClient::try_send(std::string_view bytes) {
  while (!bytes.empty()) {
    const net::IoResult result = transport_->write(stream_, bytes.data(), bytes.size());
    if (result.status == net::IoStatus::kFail) return false;
    if (result.status == net::IoStatus::kOk) bytes.remove_prefix(result.bytes);
    pollfd waiting{stream_.fd.get(), POLLOUT, 0};
    if (result.status == net::IoStatus::kRetry && poll(&waiting, 1, 300) != 1) return false;
  }
  return true;
}

std::string TestClient::read_to_end() {
  while (receive()) {
  }
  return take(in_.size());
}

void TestClient::reset() {
  const linger now{1, 0};
  setsockopt(stream_.fd.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  stream_.fd.reset();
}

bool TestClient::await(short events) {
  pollfd waiting{stream_.fd.get(), events, 0};
  const bool ready = poll(&waiting, 1, 5000) == 1;
  EXPECT_TRUE(ready) << "nothing for 5 s";
  return ready;
}

bool TestClient::receive() {
  char buffer[64 * 1024];
  for (;;) {
    const net::IoResult result = transport_->read(stream_, buffer, sizeof buffer);
    if (result.status == net::IoStatus::kRetry) {
      if (!await(POLLIN)) return false;
      continue;
    }
    reset_ = result.status == net::IoStatus::kFail;
    ended_ = reset_ || result.bytes == 0;
    if (ended_) return false;
    in_.append(buffer, result.bytes);
    return true;
  }
}

size_t TestClient::find(std::string_view text) {
  for (;;) {
    const size_t at = in_.find(text);
    if (at != std::string::npos) return at;
    if (!receive()) {
      ADD_FAILURE() << "the connection ended in the middle of an answer: " << in_;
      return at;
    }
  }
}

std::string TestClient::take(size_t size) {
  std::string taken = in_.substr(0, size);
  in_.erase(0, size);
  return taken;
}

void TestClient::read_chunks(std::string& body) {
  for (;;) {
    const size_t end = find("\r\n");
    if (end == std::string::npos) return;
    const size_t size = std::stoull(take(end + 2), nullptr, 16);
    while (in_.size() < size + 2 && receive()) {
    }
    body += take(size);
    EXPECT_EQ(take(2), "\r\n");
    if (size == 0) return;
  }
}

void TestClient::half_close() { ::shutdown(stream_.fd.get(), SHUT_WR); }

std::unique_ptr<Server> start_server(ServerSpec spec) {
  if (spec.unix_path.empty()) spec.port = 0;
  auto server = Server::start(spec);
  if (!server) {
    ADD_FAILURE() << server.error().text;
    abort();
  }
  return std::move(*server);
}

}  // namespace carronade::server
