// The floor under every HTTP client that uses epoll: a ping-pong with no parser at all.
//
//   epoll_floor [--drain copy|discard] HOST PORT CONNECTIONS DEPTH SECONDS [PATH]
//
// HOST is an IPv4 address. Each connection keeps DEPTH requests in flight. The first answer is read
// before the clock starts and tells the size of one; all others are taken to be as long and are
// counted by their bytes. It shares nothing with carronade's engine on purpose: what the engine
// costs beyond this is what it pays for parsing, counting and timing.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

constexpr std::size_t kReadSize = 256 * 1024;
constexpr int kEventsPerWait = 512;

enum class Drain { kNo, kCopy, kDiscard };

struct Options {
  Drain drain = Drain::kNo;
  std::string host;
  std::uint64_t port = 0;
  std::uint64_t connections = 0;
  std::uint64_t depth = 0;
  std::uint64_t seconds = 0;
  std::string path = "/";
};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "epoll_floor: %s\n", what.c_str());
  std::exit(1);
}

[[noreturn]] void fail_errno(const std::string& what) {
  fail(what + ": " + std::generic_category().message(errno));
}

std::uint64_t number(std::string_view text, const char* name) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0) {
    fail(std::string(name) + " must be a whole number above 0, not \"" + std::string(text) + "\"");
  }
  return value;
}

Options parse_options(std::vector<std::string> args) {
  Options options;
  if (args.size() >= 2 && args[0] == "--drain") {
    if (args[1] != "copy" && args[1] != "discard") {
      fail("--drain takes copy or discard");
    }
    options.drain = args[1] == "copy" ? Drain::kCopy : Drain::kDiscard;
    args.erase(args.begin(), args.begin() + 2);
  }
  if (args.size() < 5 || args.size() > 6) {
    fail("usage: [--drain copy|discard] HOST PORT CONNECTIONS DEPTH SECONDS [PATH]");
  }
  options.host = args[0];
  options.port = number(args[1], "PORT");
  options.connections = number(args[2], "CONNECTIONS");
  options.depth = number(args[3], "DEPTH");
  options.seconds = number(args[4], "SECONDS");
  if (args.size() == 6) {
    options.path = args[5];
  }
  return options;
}

int connect_to(const Options& options) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    fail_errno("cannot make a socket");
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(options.port));
  if (::inet_pton(AF_INET, options.host.c_str(), &address.sin_addr) != 1) {
    fail("HOST must be an IPv4 address, not \"" + options.host + "\"");
  }
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    fail_errno("cannot connect to " + options.host + ":" + std::to_string(options.port));
  }
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return fd;
}

void send_all(int fd, std::string_view bytes) {
  const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0) {
    fail_errno("cannot send");
  }
  if (static_cast<std::size_t>(sent) != bytes.size()) {
    fail("the socket's buffer took only part of a batch: lower DEPTH");
  }
}

// The bytes of one answer: its header block and its Content-Length. Asks on a connection of its
// own, which blocks and is closed again.
std::size_t learn_answer_size(const Options& options, std::string_view request) {
  const int fd = connect_to(options);
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

struct Connection {
  int fd = -1;
  std::size_t received = 0;  // bytes of answers that are not complete yet
};

class PingPong {
 public:
  PingPong(const Options& options, std::string_view request, std::size_t answer_size)
      : answer_size_(answer_size),
        request_size_(request.size()),
        flags_(options.drain == Drain::kDiscard ? MSG_TRUNC : 0),
        buffer_(kReadSize) {
    for (std::uint64_t i = 0; i < options.depth; ++i) {
      batch_.append(request);
    }
    epoll_fd_ = ::epoll_create1(EPOLL_CLOEXEC);
    connections_.resize(options.connections);
    for (Connection& connection : connections_) {
      connection.fd = connect_to(options);
      ::fcntl(connection.fd, F_SETFL, O_NONBLOCK);
      epoll_event event{};
      event.events = EPOLLIN | EPOLLET;
      event.data.ptr = &connection;
      if (::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, connection.fd, &event) != 0) {
        fail_errno("cannot watch a socket");
      }
    }
  }

  void run(std::chrono::steady_clock::time_point deadline) {
    for (const Connection& connection : connections_) {
      send_all(connection.fd, batch_);
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
        fail("the server closed a connection");
      }
      connection.received += static_cast<std::size_t>(got);
      bytes_ += static_cast<std::uint64_t>(got);
    }
    const std::size_t done = connection.received / answer_size_;
    if (done > 0) {
      connection.received -= done * answer_size_;
      answers_ += done;
      send_all(connection.fd, std::string_view(batch_).substr(0, done * request_size_));
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

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse_options(std::vector<std::string>(argv + 1, argv + argc));
  const std::string request = "GET " + options.path + " HTTP/1.1\r\nHost: " + options.host + ":" +
                              std::to_string(options.port) + "\r\n\r\n";
  PingPong client(options, request, learn_answer_size(options, request));

  rusage before{};
  rusage after{};
  ::getrusage(RUSAGE_SELF, &before);
  const auto start = std::chrono::steady_clock::now();
  client.run(start + std::chrono::seconds(options.seconds));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  ::getrusage(RUSAGE_SELF, &after);

  const double answers = static_cast<double>(client.answers());
  const double user = seconds_of(after.ru_utime) - seconds_of(before.ru_utime);
  const double system = seconds_of(after.ru_stime) - seconds_of(before.ru_stime);
  if (client.answers() == 0) {
    fail("no answer came within the time");
  }
  std::printf("%.0f answers in %.3f s, %.4f us user, %.4f us system per answer", answers,
              elapsed.count(), user / answers * 1e6, system / answers * 1e6);
  if (options.drain != Drain::kNo) {
    std::printf(", %.4f CPU s per GB", (user + system) / static_cast<double>(client.bytes()) * 1e9);
  }
  std::printf("\n");
  return 0;
}
