// HOT.
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "net/transport.h"

namespace carronade::net {

namespace {

// EAGAIN to kRetry, others to kFail.
IoResult failed(int error) {
  if (error == EAGAIN) return {.status = IoStatus::kRetry};
  return {.status = IoStatus::kFail, .error = error};
}

IoResult received(ssize_t got, size_t asked) {
  const size_t bytes = static_cast<size_t>(got);
  return {.status = IoStatus::kOk, .bytes = bytes, .drained = bytes < asked};
}

class PlainTransport final : public Transport {
 public:
  explicit PlainTransport(bool tcp) : tcp_(tcp), scratch_(tcp ? 0 : kScratchBytes) {}

  IoResult handshake(Stream&) override { return {.status = IoStatus::kOk}; }

  IoResult read(Stream& stream, char* into, size_t capacity) override {
    for (;;) {
      const ssize_t got = ::recv(stream.fd.get(), into, capacity, 0);
      if (got >= 0) return received(got, capacity);
      if (errno != EINTR) return failed(errno);
    }
  }

  IoResult write(Stream& stream, const char* from, size_t size) override {
    for (;;) {
      const ssize_t sent = ::send(stream.fd.get(), from, size, MSG_NOSIGNAL);
      if (sent >= 0) return {.status = IoStatus::kOk, .bytes = static_cast<size_t>(sent)};
      if (errno != EINTR) return failed(errno);
    }
  }

  IoResult discard(Stream& stream, size_t size) override {
    if (!tcp_) return read(stream, scratch_.data(), std::min(size, scratch_.size()));
    for (;;) {
      // Not ::recv: the sanitizers' version of it would touch the buffer that is not there.
      const ssize_t got =
          ::syscall(SYS_recvfrom, stream.fd.get(), nullptr, size, MSG_TRUNC, nullptr, nullptr);
      if (got >= 0) return received(got, size);
      if (errno != EINTR) return failed(errno);
    }
  }

  bool can_discard() const override { return tcp_; }
  void close(Stream& stream) override { stream.fd.reset(); }
  std::string failure_text() const override { return ""; }

 private:
  static constexpr size_t kScratchBytes = 64 * 1024;
  const bool tcp_;
  std::vector<char> scratch_;
};

}  // namespace

std::unique_ptr<Transport> make_plain_transport(bool tcp) {
  return std::make_unique<PlainTransport>(tcp);
}

}  // namespace carronade::net
