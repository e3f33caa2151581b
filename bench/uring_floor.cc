// The floor under every HTTP client that uses io_uring: the ping-pong of epoll_floor.cc on a ring.
//
//   uring_floor [--taskrun defer|coop|plain] [--send ring|each|beside]
//               HOST PORT CONNECTIONS DEPTH SECONDS [PATH]
//
// floor.h tells what the arguments mean; nothing can be drained here. Receives are multishot, into
// a ring of provided buffers, on registered files. The two options are there to tell what each
// technique is worth:
//
//   --taskrun  defer: completions are made when this thread waits (DEFER_TASKRUN); coop: at its
//              next system call (COOP_TASKRUN); plain: it is interrupted for them
//   --send     ring: sends go to the kernel with the wait, in one call; each: one submit per send;
//              beside: plain send()

#include <liburing.h>
#include <sys/socket.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "floor.h"

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
};

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
    floors::fail("options are --taskrun defer|coop|plain and --send ring|each|beside");
  }
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
      floors::fail_code("cannot register the buffers", -error);
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

io_uring make_ring(const floors::Job& job, unsigned setup_flags) {
  // Room for a receive and a send of each connection, so that a turn needs one submit.
  const std::uint64_t entries = std::bit_ceil(2 * job.connections);
  io_uring ring{};
  const int error = io_uring_queue_init(static_cast<unsigned>(std::min(entries, kRingEntriesMax)),
                                        &ring, IORING_SETUP_SINGLE_ISSUER | setup_flags);
  if (error < 0) {
    floors::fail_code("cannot make a ring", -error);
  }
  io_uring_register_ring_fd(&ring);
  return ring;
}

class PingPong {
 public:
  PingPong(const floors::Job& job, const Options& options, std::string_view request,
           std::size_t answer_size)
      : answer_size_(answer_size),
        request_size_(request.size()),
        send_(options.send),
        ring_(make_ring(job, options.setup_flags)),
        // No larger than a full batch of answers: the rotating buffers had better stay in the
        // cache.
        buffers_(ring_, std::min(std::bit_ceil(answer_size * job.depth), kBufferSizeMax),
                 std::min(std::bit_ceil(job.connections), kRingEntriesMax)),
        received_(job.connections) {
    for (std::uint64_t i = 0; i < job.depth; ++i) {
      batch_.append(request);
    }
    for (std::uint64_t i = 0; i < job.connections; ++i) {
      fds_.push_back(floors::connect_to(job.host, job.port));
    }
    const unsigned count = static_cast<unsigned>(fds_.size());
    if (const int error = io_uring_register_files(&ring_, fds_.data(), count); error < 0) {
      floors::fail_code("cannot register the sockets", -error);
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
        floors::fail_code("cannot wait on the ring", -error);
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
      floors::send_all(fds_[index], std::string_view(batch_).substr(0, bytes));
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
      floors::fail_code("cannot send", -cqe.res);
    }
    const std::size_t index = cqe.user_data;
    if (cqe.res == 0 || (cqe.res < 0 && cqe.res != -ENOBUFS)) {
      floors::fail_code("the server closed a connection", -cqe.res);
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

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const floors::Job job = floors::parse_job(
      std::vector<std::string>(argv + 1, argv + argc), "[--taskrun MODE] [--send HOW]",
      [&](std::string_view name, std::string_view value) { parse_option(options, name, value); });
  const std::string request = floors::request_of(job);
  const int first = floors::connect_to(job.host, job.port);
  PingPong client(job, options, request, floors::learn_answer_size(first, request));

  floors::measure(client, job);
  std::printf("\n");
  return 0;
}
