// Cost of the calls of plain_transport.cc, which is the kernel's: a small message over TCP and a
// Unix socket, and whether discarding a large body beats reading it.
#include <benchmark/benchmark.h>
#include <poll.h>

#include "net/net_bench_support.h"
#include "net/socket.h"
#include "net/transport.h"

namespace carronade::net {
namespace {

void wait_ready(int fd, short events) {
  pollfd waiting{fd, events, 0};
  CHECK(poll(&waiting, 1, 5000) == 1);
}

FdPair tcp_pair() {
  const auto listener = listen_stream(*Address::from_ip("127.0.0.1", 0), 1, false);
  CHECK(listener.has_value());
  base::UniqueFd client = open_stream_socket(AF_INET);
  start_connect(client.get(), local_address(listener->get()));
  wait_ready(listener->get(), POLLIN);
  base::UniqueFd server(accept4(listener->get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  wait_ready(client.get(), POLLOUT);
  CHECK(server.valid() && connect_result(client.get()) == 0);
  return {std::move(client), std::move(server)};
}

enum class Kind { kTcp, kUnix };

// Both ends of a connection.
struct Link {
  explicit Link(Kind kind) : transport(make_plain_transport(kind == Kind::kTcp)) {
    FdPair fds = kind == Kind::kTcp ? tcp_pair() : unix_pair();
    near.stream.fd = std::move(fds.first);
    far.stream.fd = std::move(fds.second);
  }

  std::unique_ptr<Transport> transport;
  End near{*transport, {}};
  End far{*transport, {}};
};

// Written at one end and read at the other.
void write_and_read(benchmark::State& state, Kind kind) {
  Link link(kind);
  const std::string message(kSmallBytes, 'x');
  std::vector<char> into(kBulkBytes);
  for (auto _ : state) {
    if (!pass(link.near, link.far, message, into)) return state.SkipWithError("bytes were lost");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kSmallBytes));
}
BENCHMARK_CAPTURE(write_and_read, tcp, Kind::kTcp);
BENCHMARK_CAPTURE(write_and_read, unix_socket, Kind::kUnix);

void receive_bulk(benchmark::State& state, Kind kind, bool discard) {
  Link link(kind);
  BulkReceiver receiver(link.far, link.near);
  for (auto _ : state) {
    const std::optional<int64_t> spent_ns = receiver.receive_ns(discard);
    if (!spent_ns) return state.SkipWithError("a call failed");
    state.SetIterationTime(static_cast<double>(*spent_ns) / 1e9);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kBulkBytes));
}
BENCHMARK_CAPTURE(receive_bulk, read_tcp, Kind::kTcp, false)->UseManualTime();
BENCHMARK_CAPTURE(receive_bulk, discard_tcp, Kind::kTcp, true)->UseManualTime();
BENCHMARK_CAPTURE(receive_bulk, read_unix_socket, Kind::kUnix, false)->UseManualTime();
BENCHMARK_CAPTURE(receive_bulk, discard_unix_socket, Kind::kUnix, true)->UseManualTime();

}  // namespace
}  // namespace carronade::net
