// The floor under every HTTP client that uses io_uring: the ping-pong of epoll_floor.cc on a ring.
//
//   uring_floor [--taskrun defer|coop|plain] [--send ring|each|beside]
//               HOST PORT CONNECTIONS DEPTH SECONDS [PATH]
//
// Arguments, counting by bytes and the line printed are epoll_floor's, except that nothing can be
// drained. Receives are multishot, into a ring of provided buffers, on registered files. The two
// options are there to tell what each technique is worth:
//
//   --taskrun  defer: completions are made when this thread waits (DEFER_TASKRUN); coop: at its
//              next system call (COOP_TASKRUN); plain: it is interrupted for them
//   --send     ring: sends go to the kernel with the wait, in one call; each: one submit per send;
//              beside: plain send()

#include <arpa/inet.h>
#include <liburing.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
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

constexpr std::size_t kBufferSizeMax = 256 * 1024;
constexpr std::size_t kPageSize = 4096;
constexpr std::uint64_t kRingEntriesMax = 32768;
constexpr std::uint64_t kSendFlag = std::uint64_t{1} << 32;  // in user_data, above the connection
constexpr int kBufferGroup = 0;

enum class Send { kRing, kEach, kBeside };

struct Options {
  unsigned setup_flags = IORING_SETUP_DEFER_TASKRUN;
  Send send = Send::kRing;
  std::string host;
  std::uint64_t port = 0;
  std::uint64_t connections = 0;
  std::uint64_t depth = 0;
  std::uint64_t seconds = 0;
  std::string path = "/";
};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "uring_floor: %s\n", what.c_str());
  std::exit(1);
}

[[noreturn]] void fail_code(const std::string& what, int code) {
  fail(what + ": " + std::generic_category().message(code));
}

std::uint64_t number(std::string_view text, const char* name) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0) {
    fail(std::string(name) + " must be a whole number above 0, not \"" + std::string(text) + "\"");
  }
  return value;
}

void parse_option(Options& options, std::string_view name, std::string_view value) {
  if (name == "--taskrun" && value == "defer") {
    options.setup_flags = IORING_SETUP_DEFER_TASKRUN;
  } else if (name == "--taskrun" && value == "coop") {
    options.setup_flags = IORING_SETUP_COOP_TASKRUN;
  } else if (name == "--taskrun" && value == "plain") {
    options.setup_flags = 0;
  } else if (name == "--send" && value == "ring") {
    options.send = Send::kRing;
  } else if (name == "--send" && value == "each") {
    options.send = Send::kEach;
  } else if (name == "--send" && value == "beside") {
    options.send = Send::kBeside;
  } else {
    fail("options are --taskrun defer|coop|plain and --send ring|each|beside");
  }
}

Options parse_options(std::vector<std::string> args) {
  Options options;
  while (args.size() >= 2 && args[0].starts_with("--")) {
    parse_option(options, args[0], args[1]);
    args.erase(args.begin(), args.begin() + 2);
  }
  if (args.size() < 5 || args.size() > 6) {
    fail("usage: [--taskrun MODE] [--send HOW] HOST PORT CONNECTIONS DEPTH SECONDS [PATH]");
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
    fail_code("cannot make a socket", errno);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(options.port));
  if (::inet_pton(AF_INET, options.host.c_str(), &address.sin_addr) != 1) {
    fail("HOST must be an IPv4 address, not \"" + options.host + "\"");
  }
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    fail_code("cannot connect to " + options.host + ":" + std::to_string(options.port), errno);
  }
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return fd;
}

void send_all(int fd, std::string_view bytes) {
  const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) {
    fail_code("cannot send", errno);
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

// Receive buffers that the kernel takes from a ring and that are given back a batch at a time.
class Buffers {
 public:
  // Each holds `size` bytes; there are `count` of them, a power of two.
  Buffers(io_uring& ring, std::size_t size, std::uint64_t count)
      : size_(size), mask_(static_cast<int>(count) - 1), memory_(size * count) {
    const std::size_t bytes = (count * sizeof(io_uring_buf) + kPageSize - 1) & ~(kPageSize - 1);
    ring_ = static_cast<io_uring_buf_ring*>(std::aligned_alloc(kPageSize, bytes));
    io_uring_buf_ring_init(ring_);
    io_uring_buf_reg registration{};
    registration.ring_addr = reinterpret_cast<std::uintptr_t>(ring_);
    registration.ring_entries = static_cast<std::uint32_t>(count);
    registration.bgid = kBufferGroup;
    if (const int error = io_uring_register_buf_ring(&ring, &registration, 0); error < 0) {
      fail_code("cannot register the buffers", -error);
    }
    for (std::uint64_t id = 0; id < count; ++id) {
      give_back(static_cast<std::uint16_t>(id));
    }
    publish();
  }

  void give_back(std::uint16_t id) {
    io_uring_buf_ring_add(ring_, memory_.data() + id * size_, static_cast<unsigned>(size_), id,
                          mask_, returned_++);
  }

  void publish() {
    io_uring_buf_ring_advance(ring_, returned_);
    returned_ = 0;
  }

 private:
  std::size_t size_;
  int mask_;
  std::vector<char> memory_;
  io_uring_buf_ring* ring_ = nullptr;  // for as long as the process lives
  int returned_ = 0;
};

io_uring make_ring(const Options& options) {
  // Room for a receive and a send of each connection, so that a turn needs one submit.
  const std::uint64_t entries = std::bit_ceil(2 * options.connections);
  io_uring ring{};
  const int error = io_uring_queue_init(static_cast<unsigned>(std::min(entries, kRingEntriesMax)),
                                        &ring, IORING_SETUP_SINGLE_ISSUER | options.setup_flags);
  if (error < 0) {
    fail_code("cannot make a ring", -error);
  }
  io_uring_register_ring_fd(&ring);
  return ring;
}

class PingPong {
 public:
  PingPong(const Options& options, std::string_view request, std::size_t answer_size)
      : answer_size_(answer_size),
        request_size_(request.size()),
        send_(options.send),
        ring_(make_ring(options)),
        // No larger than a full batch of answers: the rotating buffers had better stay in the
        // cache.
        buffers_(ring_, std::min(std::bit_ceil(answer_size * options.depth), kBufferSizeMax),
                 std::min(std::bit_ceil(options.connections), kRingEntriesMax)),
        received_(options.connections) {
    for (std::uint64_t i = 0; i < options.depth; ++i) {
      batch_.append(request);
    }
    for (std::uint64_t i = 0; i < options.connections; ++i) {
      fds_.push_back(connect_to(options));
    }
    const unsigned count = static_cast<unsigned>(fds_.size());
    if (const int error = io_uring_register_files(&ring_, fds_.data(), count); error < 0) {
      fail_code("cannot register the sockets", -error);
    }
  }

  void run(std::chrono::steady_clock::time_point deadline) {
    for (std::size_t i = 0; i < fds_.size(); ++i) {
      receive(i);
      send(i, batch_.size());
    }
    __kernel_timespec patience{0, 100'000'000};
    while (std::chrono::steady_clock::now() < deadline) {
      io_uring_cqe* cqe = nullptr;
      const int error = io_uring_submit_and_wait_timeout(&ring_, &cqe, 1, &patience, nullptr);
      if (error < 0 && error != -ETIME && error != -EINTR) {
        fail_code("cannot wait on the ring", -error);
      }
      unsigned head = 0;
      unsigned seen = 0;
      io_uring_for_each_cqe(&ring_, head, cqe) {
        on_completion(*cqe);
        ++seen;
      }
      io_uring_cq_advance(&ring_, seen);
      buffers_.publish();
    }
  }

  std::uint64_t answers() const { return answers_; }

 private:
  io_uring_sqe* next_sqe() {
    io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
    if (sqe == nullptr) {
      io_uring_submit(&ring_);
      sqe = io_uring_get_sqe(&ring_);
    }
    return sqe;
  }

  void receive(std::size_t index) {
    io_uring_sqe* sqe = next_sqe();
    io_uring_prep_recv_multishot(sqe, static_cast<int>(index), nullptr, 0, 0);
    sqe->flags |= IOSQE_FIXED_FILE | IOSQE_BUFFER_SELECT;
    sqe->buf_group = kBufferGroup;
    sqe->user_data = index;
  }

  void send(std::size_t index, std::size_t bytes) {
    if (send_ == Send::kBeside) {
      send_all(fds_[index], std::string_view(batch_).substr(0, bytes));
      return;
    }
    io_uring_sqe* sqe = next_sqe();
    // With MSG_WAITALL the kernel finishes what the socket takes only in part, so that a success
    // has nothing to tell and needs no completion.
    io_uring_prep_send(sqe, static_cast<int>(index), batch_.data(), bytes,
                       MSG_NOSIGNAL | MSG_WAITALL);
    sqe->flags |= IOSQE_FIXED_FILE | IOSQE_CQE_SKIP_SUCCESS;
    sqe->user_data = kSendFlag | index;
    if (send_ == Send::kEach) {
      io_uring_submit(&ring_);
    }
  }

  void on_completion(const io_uring_cqe& cqe) {
    if ((cqe.user_data & kSendFlag) != 0) {
      fail_code("cannot send", -cqe.res);
    }
    const std::size_t index = cqe.user_data;
    if (cqe.res == 0 || (cqe.res < 0 && cqe.res != -ENOBUFS)) {
      fail_code("the server closed a connection", -cqe.res);
    }
    if ((cqe.flags & IORING_CQE_F_MORE) == 0) {
      receive(index);
    }
    if (cqe.res == -ENOBUFS) {
      return;
    }
    buffers_.give_back(static_cast<std::uint16_t>(cqe.flags >> IORING_CQE_BUFFER_SHIFT));
    received_[index] += static_cast<std::size_t>(cqe.res);
    const std::size_t done = received_[index] / answer_size_;
    if (done > 0) {
      received_[index] -= done * answer_size_;
      answers_ += done;
      send(index, done * request_size_);
    }
  }

  std::size_t answer_size_;
  std::size_t request_size_;
  Send send_;
  io_uring ring_;
  Buffers buffers_;
  std::string batch_;
  std::vector<int> fds_;
  std::vector<std::size_t> received_;  // bytes of answers that are not complete yet, by connection
  std::uint64_t answers_ = 0;
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
  std::printf("%.0f answers in %.3f s, %.4f us user, %.4f us system per answer\n", answers,
              elapsed.count(), user / answers * 1e6, system / answers * 1e6);
  return 0;
}
