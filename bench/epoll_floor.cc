// The floor under every HTTP client that uses epoll: a ping-pong with no parser at all.
//
//   epoll_floor [--drain copy|discard] HOST PORT CONNECTIONS DEPTH SECONDS [PATH]
//
// floor.h tells what the arguments mean. With --drain the line printed ends with the CPU time per
// GB received: copied into memory, or dropped in the kernel.

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "floor.h"

namespace {

constexpr std::size_t kReadSize = 256 * 1024;
constexpr int kEventsPerWait = 512;

enum class Drain { kNo, kCopy, kDiscard };

Drain parse_drain(std::string_view name, std::string_view value) {
  if (name != "--drain" || (value != "copy" && value != "discard")) {
    floors::fail("the option is --drain copy|discard");
  }
  return value == "copy" ? Drain::kCopy : Drain::kDiscard;
}

struct Connection {
  int fd = -1;
  std::size_t received = 0;  // bytes of answers that are not complete yet
};

class PingPong {
 public:
  PingPong(const floors::Job& job, Drain drain, std::string_view request, std::size_t answer_size)
      : answer_size_(answer_size),
        request_size_(request.size()),
        flags_(drain == Drain::kDiscard ? MSG_TRUNC : 0),
        buffer_(kReadSize) {
    for (std::uint64_t i = 0; i < job.depth; ++i) {
      batch_.append(request);
    }
    epoll_fd_ = ::epoll_create1(EPOLL_CLOEXEC);
    connections_.resize(job.connections);
    for (Connection& connection : connections_) {
      connection.fd = floors::connect_to(job.host, job.port);
      ::fcntl(connection.fd, F_SETFL, O_NONBLOCK);
      epoll_event event{};
      event.events = EPOLLIN | EPOLLET;
      event.data.ptr = &connection;
      if (::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, connection.fd, &event) != 0) {
        floors::fail_code("cannot watch a socket", errno);
      }
    }
  }

  void run(std::chrono::steady_clock::time_point deadline) {
    for (const Connection& connection : connections_) {
      floors::send_all(connection.fd, batch_);
    }
    std::vector<epoll_event> events(kEventsPerWait);
    while (std::chrono::steady_clock::now() < deadline) {
      const int ready = ::epoll_wait(epoll_fd_, events.data(), kEventsPerWait, 100);
      for (int i = 0; i < ready; ++i) {
        on_readable(*static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr));
      }
    }
  }

  std::uint64_t answers() const { return answers_; }

  std::uint64_t bytes() const { return bytes_; }

 private:
  void on_readable(Connection& connection) {
    // A read that does not fill the buffer has emptied the socket; the next byte is a new edge.
    ssize_t got = static_cast<ssize_t>(kReadSize);
    while (got == static_cast<ssize_t>(kReadSize)) {
      got = ::recv(connection.fd, buffer_.data(), kReadSize, flags_);
      if (got < 0 && errno == EAGAIN) {
        break;
      }
      if (got <= 0) {
        floors::fail("the server closed a connection");
      }
      connection.received += static_cast<std::size_t>(got);
      bytes_ += static_cast<std::uint64_t>(got);
    }
    const std::size_t done = connection.received / answer_size_;
    if (done > 0) {
      connection.received -= done * answer_size_;
      answers_ += done;
      floors::send_all(connection.fd, std::string_view(batch_).substr(0, done * request_size_));
    }
  }

  std::size_t answer_size_;
  std::size_t request_size_;
  int flags_;
  std::vector<char> buffer_;
  std::string batch_;
  int epoll_fd_ = -1;
  std::vector<Connection> connections_;
  std::uint64_t answers_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Drain drain = Drain::kNo;
  const floors::Job job = floors::parse_job(
      std::vector<std::string>(argv + 1, argv + argc), "[--drain copy|discard]",
      [&](std::string_view name, std::string_view value) { drain = parse_drain(name, value); });
  const std::string request = floors::request_of(job);
  const int first = floors::connect_to(job.host, job.port);
  PingPong client(job, drain, request, floors::learn_answer_size(first, request));

  const double cpu_seconds = floors::measure(client, job);
  if (drain != Drain::kNo) {
    std::printf(", %.4f CPU s per GB", cpu_seconds / static_cast<double>(client.bytes()) * 1e9);
  }
  std::printf("\n");
  return 0;
}
