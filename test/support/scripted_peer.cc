#include "scripted_peer.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace carronade::test {
namespace {

constexpr int kPollMs = 20;

// Waits for input in short steps, so that a stopping peer is noticed.
bool readable(int fd, const std::atomic<bool>& stopping) {
  while (!stopping) {
    pollfd entry{fd, POLLIN, 0};
    if (poll(&entry, 1, kPollMs) > 0) return true;
  }
  return false;
}

}  // namespace

bool ScriptedPeer::Talk::fill() {
  if (!readable(fd_, peer_.stopping_)) return false;
  char bytes[16384];
  const ssize_t got = recv(fd_, bytes, sizeof bytes, 0);
  if (got <= 0) return false;
  buffer_.append(bytes, static_cast<size_t>(got));
  return true;
}

std::string ScriptedPeer::Talk::read_request() {
  size_t end;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill()) return "";
  }
  size_t size = end + 4;
  const size_t length = buffer_.find("Content-Length: ");
  if (length < end) {
    size_t body = 0;
    std::from_chars(buffer_.data() + length + 16, buffer_.data() + end, body);
    size += body;
  }
  while (buffer_.size() < size) {
    if (!fill()) return "";
  }
  std::string request = buffer_.substr(0, size);
  buffer_.erase(0, size);
  ++peer_.requests_;
  return request;
}

std::string ScriptedPeer::Talk::read_bytes(size_t size) {
  while (buffer_.size() < size) {
    if (!fill()) return "";
  }
  std::string bytes = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return bytes;
}

void ScriptedPeer::Talk::wait_for_close() {
  while (fill()) {
  }
}

void ScriptedPeer::Talk::never_read() {
  while (!peer_.stopping_) poll(nullptr, 0, kPollMs);
}

ScriptedPeer::ScriptedPeer(Script script) : script_(std::move(script)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::abort();
  if (listen(listener_, 128) != 0) std::abort();
  socklen_t size = sizeof address;
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

ScriptedPeer::~ScriptedPeer() {
  stopping_ = true;
  acceptor_.join();
  for (std::thread& talk : talks_) talk.join();
  close(listener_);
}

bool ScriptedPeer::wait_for_scripts() const {
  constexpr int kTurns = 1000;
  for (int turn = 0; turn < kTurns && scripts_ended_ < connections_; ++turn) {
    poll(nullptr, 0, kPollMs);
  }
  return scripts_ended_ == connections_;
}

void ScriptedPeer::accept_all() {
  while (readable(listener_, stopping_)) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    const int index = connections_++;
    talks_.emplace_back([this, fd, index] {
      Talk talk(fd, index, *this);
      script_(talk);
      close(fd);
      ++scripts_ended_;
    });
  }
}

}  // namespace carronade::test
