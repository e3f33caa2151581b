// What the benchmarks of this folder share: connected sockets, and bytes through two transports
// that one thread drives by turns.
#pragma once

#include <benchmark/benchmark.h>
#include <sys/socket.h>

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

// Receives kBulkBytes an iteration with a worker's buffer. Only the receiver's calls are timed.
inline void receive_bulk(benchmark::State& state, End& from, End& to, bool discard) {
  const std::string bytes(kBulkBytes, 'x');
  std::vector<char> into(kBulkBytes);
  for (auto _ : state) {
    size_t sent = 0;
    size_t received = 0;
    int64_t spent_ns = 0;
    while (received < kBulkBytes) {
      if (sent < kBulkBytes) {
        const IoResult out =
            from.transport.write(from.stream, bytes.data() + sent, kBulkBytes - sent);
        if (out.status == IoStatus::kFail) return state.SkipWithError("the write failed");
        sent += out.bytes;
      }
      const size_t wanted = kBulkBytes - received;
      const int64_t start_ns = base::now_ns();
      const IoResult in = discard ? to.transport.discard(to.stream, wanted)
                                  : to.transport.read(to.stream, into.data(), wanted);
      // An empty look is the fault of this one thread, not a cost of receiving.
      if (in.status != IoStatus::kRetry) spent_ns += base::now_ns() - start_ns;
      if (in.status == IoStatus::kFail) return state.SkipWithError("the read failed");
      if (in.status == IoStatus::kOk && in.bytes == 0) return state.SkipWithError("end of file");
      received += in.bytes;
    }
    state.SetIterationTime(static_cast<double>(spent_ns) / 1e9);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kBulkBytes));
}

}  // namespace carronade::net
