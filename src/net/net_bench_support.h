// What the benchmarks of this folder share: connected sockets, and bytes through two transports
// that one thread drives by turns.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "net/transport.h"

namespace carronade::net {

// As an answer of the bundled server with its 13 bytes of body.
constexpr size_t kSmallBytes = 78;
constexpr size_t kBulkBytes = 256 * 1024;

using FdPair = std::pair<base::UniqueFd, base::UniqueFd>;

inline FdPair unix_pair() {
  int fds[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) == 0);
  return {base::UniqueFd(fds[0]), base::UniqueFd(fds[1])};
}

struct End {
  Transport& transport;
  Stream stream;
};

// `bytes` in one write and, as soon as they are there, in reads; false when that failed.
inline bool pass(End& from, End& to, const std::string& bytes, std::vector<char>& into) {
  const IoResult sent = from.transport.write(from.stream, bytes.data(), bytes.size());
  if (sent.status != IoStatus::kOk || sent.bytes != bytes.size()) return false;
  size_t left = bytes.size();
  while (left > 0) {
    const IoResult got = to.transport.read(to.stream, into.data(), into.size());
    if (got.status == IoStatus::kFail) return false;
    if (got.status == IoStatus::kRetry) continue;  // loopback TCP may deliver a little later
    if (got.bytes == 0 || got.bytes > left) return false;
    left -= got.bytes;
  }
  return true;
}

// The time that the receiver's calls take until kBulkBytes have come through, into a buffer as
// large as a worker's; the sender's are not in it. Nothing when a call failed.
class BulkReceiver {
 public:
  BulkReceiver(End& from, End& to) : from_(from), to_(to) {}

  std::optional<int64_t> receive_ns(bool discard) {
    size_t sent = 0;
    size_t received = 0;
    int64_t spent_ns = 0;
    while (received < kBulkBytes) {
      if (sent < kBulkBytes) {
        const IoResult out =
            from_.transport.write(from_.stream, bytes_.data() + sent, kBulkBytes - sent);
        if (out.status == IoStatus::kFail) return std::nullopt;
        sent += out.bytes;
      }
      const size_t wanted = kBulkBytes - received;
      const int64_t start_ns = base::now_ns();
      const IoResult in = discard ? to_.transport.discard(to_.stream, wanted)
                                  : to_.transport.read(to_.stream, into_.data(), wanted);
      // An empty look is the fault of this one thread, not a cost of receiving.
      if (in.status == IoStatus::kRetry) continue;
      spent_ns += base::now_ns() - start_ns;
      if (in.status == IoStatus::kFail || in.bytes == 0) return std::nullopt;
      received += in.bytes;
    }
    return spent_ns;
  }

 private:
  End& from_;
  End& to_;
  const std::string bytes_ = std::string(kBulkBytes, 'x');
  std::vector<char> into_ = std::vector<char>(kBulkBytes);
};

}  // namespace carronade::net
