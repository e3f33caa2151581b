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

void read_bulk(benchmark::State& state, Kind kind) {
  Link link(kind);
  receive_bulk(state, link.far, link.near, false);
}
BENCHMARK_CAPTURE(read_bulk, tcp, Kind::kTcp)->UseManualTime();
BENCHMARK_CAPTURE(read_bulk, unix_socket, Kind::kUnix)->UseManualTime();

void discard_bulk(benchmark::State& state, Kind kind) {
  Link link(kind);
  receive_bulk(state, link.far, link.near, true);
}
BENCHMARK_CAPTURE(discard_bulk, tcp, Kind::kTcp)->UseManualTime();
BENCHMARK_CAPTURE(discard_bulk, unix_socket, Kind::kUnix)->UseManualTime();

}  // namespace
}  // namespace carronade::net
