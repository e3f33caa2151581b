// Cost of TLS 1.3 over a Unix socket pair, both ends driven on this thread: what an exchange or a
// handshake costs is the work of client and server together.
#include <benchmark/benchmark.h>

#include "net/net_bench_support.h"
#include "net/tls_bio.h"
#include "net/tls_context.h"
#include "net/tls_transport.h"

namespace carronade::net {
namespace {

constexpr int kHandshakeTurns = 20;  // far more than TLS takes

template <class T>
T must(Expected<T> made) {
  CHECK(made.has_value());
  return std::move(*made);
}

TlsSpec client_spec(bool resume) {
  TlsSpec spec;
  spec.resume = resume;
  return spec;
}

// A client and a server that agree on everything, with the certificate of `carronade serve`.
struct Peers {
  explicit Peers(bool resume)
      : client_context(must(TlsClientContext::create(client_spec(resume)))),
        server_context(must(TlsServerContext::create("", ""))),
        client_transport(client_context->make_transport("localhost", "localhost")),
        server_transport(server_context->make_transport()) {}

  // A new connection; false when no TLS 1.3 came about.
  bool connect() {
    FdPair fds = unix_pair();
    client.stream.fd = std::move(fds.first);
    server.stream.fd = std::move(fds.second);
    IoResult at_client{.status = IoStatus::kRetry};
    IoResult at_server{.status = IoStatus::kRetry};
    for (int turn = 0; turn < kHandshakeTurns; ++turn) {
      if (at_client.status == IoStatus::kRetry) {
        at_client = client_transport->handshake(client.stream);
      }
      if (at_server.status == IoStatus::kRetry) {
        at_server = server_transport->handshake(server.stream);
      }
    }
    return at_client.status == IoStatus::kOk && at_server.status == IoStatus::kOk &&
           client_transport->protocol(client.stream) == "TLSv1.3";
  }

  void close() {
    client_transport->close(client.stream);
    server_transport->close(server.stream);
  }

  std::unique_ptr<TlsClientContext> client_context;
  std::unique_ptr<TlsServerContext> server_context;
  std::unique_ptr<Transport> client_transport;
  std::unique_ptr<Transport> server_transport;
  End client{*client_transport, {}};
  End server{*server_transport, {}};
};

// A request and its answer of the same size.
void request_and_answer(benchmark::State& state) {
  Peers peers(true);
  CHECK(peers.connect());
  const std::string bytes(kSmallBytes, 'x');
  std::vector<char> into(kBulkBytes);
  for (auto _ : state) {
    if (!pass(peers.client, peers.server, bytes, into) ||
        !pass(peers.server, peers.client, bytes, into)) {
      return state.SkipWithError("bytes were lost");
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(request_and_answer);

// The client's reads alone.
void read_bulk_tls(benchmark::State& state) {
  Peers peers(true);
  CHECK(peers.connect());
  BulkReceiver receiver(peers.server, peers.client);
  for (auto _ : state) {
    const std::optional<int64_t> spent_ns = receiver.receive_ns(false);
    if (!spent_ns) return state.SkipWithError("a call failed");
    state.SetIterationTime(static_cast<double>(*spent_ns) / 1e9);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kBulkBytes));
}
BENCHMARK(read_bulk_tls)->UseManualTime();

// Connecting, one byte from the server (the tickets that a client keeps come before it), and
// closing. The certificate is not verified, as without --verify.
void handshake(benchmark::State& state, bool resume) {
  Peers peers(resume);
  const std::string byte(1, 'x');
  std::vector<char> into(1);
  CHECK(peers.connect() && pass(peers.server, peers.client, byte, into));
  peers.close();
  for (auto _ : state) {
    if (!peers.connect()) return state.SkipWithError("the handshake failed");
    if (peers.client_transport->resumed(peers.client.stream) != resume) {
      return state.SkipWithError("not the kind of handshake that was to be timed");
    }
    if (!pass(peers.server, peers.client, byte, into)) {
      return state.SkipWithError("bytes were lost");
    }
    peers.close();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(handshake, full, false);
BENCHMARK_CAPTURE(handshake, resumed, true);

}  // namespace
}  // namespace carronade::net
