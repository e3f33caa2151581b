#include "load/connector.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "http/head_fields.h"
#include "http/ws_handshake.h"
#include "net/socket.h"
#include "net/source_address.h"

namespace carronade::load {
namespace {

ErrorKind kind_of(int error) {
  switch (error) {
    case ECONNREFUSED:
      return ErrorKind::kConnectRefused;
    case ETIMEDOUT:
      return ErrorKind::kConnectTimeout;
    case EMFILE:
    case ENFILE:
      return ErrorKind::kOutOfDescriptors;
    case EADDRNOTAVAIL:
    case EADDRINUSE:
      return ErrorKind::kOutOfPorts;
    case ENOBUFS:
    case ENOMEM:
      return ErrorKind::kOutOfMemory;
    default:
      return ErrorKind::kConnectFailed;
  }
}

std::string reason_of(int error) {
  if (error == EAFNOSUPPORT) {
    return base::errno_text(error) +
           " (this machine has none of it, or --local-address names no address of this kind)";
  }
  switch (kind_of(error)) {
    case ErrorKind::kOutOfPorts:
      return base::errno_text(error) +
             " (no local port left, see net.ipv4.ip_local_port_range, net.ipv4.tcp_tw_reuse and "
             "--local-address; or this machine has no address to reach it from)";
    case ErrorKind::kOutOfDescriptors:
      return base::errno_text(error) + " (raise the limit: ulimit -n)";
    default:
      return base::errno_text(error);
  }
}

}  // namespace

Connector::Made Connector::start(Connection& c, uint64_t token) {
  if (c.scripted != nullptr && c.inflight.empty()) c.scripted->connect_ns = 0;
  if (worker_.target_of(c).prepared->addresses.empty()) {
    return fail_as(c, {ErrorKind::kResolveFailed, Phase::kResolve,
                       worker_.target_of(c).prepared->resolve_error});
  }
  if (worker_.run.connect_counts) c.making_ns = base::now_ns();
  c.address = worker_.target_of(c).preferred_address;
  c.addresses_tried = 0;
  return try_address(c, token);
}

Connector::Made Connector::try_address(Connection& c, uint64_t token) {
  const net::Address& address = worker_.target_of(c).address(c);
  c.state = ConnectionState::kConnecting;
  c.stream.fd = net::open_stream_socket(address.family());
  if (!c.stream.fd.valid()) {
    const int error = errno;
    // A family that this machine does not have is one address less, not the end.
    if (error == EAFNOSUPPORT) return next_address(c, token, error);
    return fail(c, kind_of(error), Phase::kConnect, reason_of(error));
  }
  const net::Address* const source = source_for(c, address);
  const bool may_choose = worker_.target_of(c).prepared->sources.empty();
  if (source == nullptr && !may_choose && address.family() != AF_UNIX) {
    return next_address(c, token, EAFNOSUPPORT);
  }
  if (source != nullptr) {
    const int bind_error = net::bind_source(c.stream.fd.get(), *source);
    if (bind_error != 0) {
      return fail(c, kind_of(bind_error), Phase::kConnect,
                  "from " + source->text() + ": " + reason_of(bind_error));
    }
  }
  if (worker_.run.socket_buffer_bytes > 0 && address.family() != AF_UNIX) {
    net::set_buffer_sizes(c.stream.fd.get(), worker_.run.socket_buffer_bytes);
  }
  c.phase_start_ns = base::now_ns();
  const int error = net::start_connect(c.stream.fd.get(), address);
  if (error == EAGAIN && address.family() == AF_UNIX) return backlog_full(c);
  if (error != 0 && error != EINPROGRESS) return next_address(c, token, error);
  if (!worker_.loop.add(c.stream.fd.get(), token)) {
    const int loop_error = errno;
    return fail(c, ErrorKind::kOutOfMemory, Phase::kConnect,
                "epoll: " + base::errno_text(loop_error));
  }
  return error == 0 ? connected(c) : Made::kPending;
}

// Connecting over TCP would wait for the server to accept others; a Unix socket has to ask again.
Connector::Made Connector::backlog_full(Connection& c) {
  if (c.busy_since_ns == 0) c.busy_since_ns = c.phase_start_ns;
  if (c.phase_start_ns - c.busy_since_ns < worker_.run.timeout_ns) return Made::kBusy;
  c.busy_since_ns = 0;
  return fail(c, ErrorKind::kConnectTimeout, Phase::kConnect,
              "its backlog was full for " + base::format_span(worker_.run.timeout_ns));
}

// The slot's own source address of the destination's family; null: there is none.
const net::Address* Connector::source_for(const Connection& c, const net::Address& to) const {
  const std::span<const net::Address> sources = worker_.targets[c.target].prepared->sources;
  const size_t slot =
      worker_.plan.first_slot + static_cast<size_t>(&c - worker_.connections.data());
  const size_t turn = slot / worker_.targets.size();
  for (size_t i = 0; i < sources.size(); ++i) {
    const net::Address& source = sources[(turn + i) % sources.size()];
    if (source.family() == to.family()) return &source;
  }
  return nullptr;
}

Connector::Made Connector::next_address(Connection& c, uint64_t token, int error) {
  const TargetState& target = worker_.target_of(c);
  const size_t known = target.prepared->addresses.size();
  if (++c.addresses_tried >= known) {
    std::string reason = reason_of(error);
    if (error == ETIMEDOUT) {
      reason = "no connection within " +
               base::format_span(worker_.run.timeout_ns / static_cast<int64_t>(known));
    }
    if (known > 1) reason += " (the last of " + std::to_string(known) + " addresses tried)";
    return fail(c, kind_of(error), Phase::kConnect, reason);
  }
  c.stream.fd.reset();
  c.address = static_cast<uint16_t>((c.address + 1) % known);
  return try_address(c, token);
}

Connector::Made Connector::on_ready(Connection& c, uint64_t token) {
  if (c.state == ConnectionState::kTunnelling) return tunnel(c);
  if (c.state == ConnectionState::kHandshaking) return handshake(c);
  if (c.state == ConnectionState::kUpgrading) return upgrade(c);
  const int error = net::connect_result(c.stream.fd.get());
  if (error == 0) return connected(c);
  return next_address(c, token, error);
}

Connector::Made Connector::connected(Connection& c) {
  const int64_t now_ns = base::now_ns();
  TargetState& target = worker_.target_of(c);
  target.preferred_address = c.address;
  worker_.recorder.connected(now_ns - c.phase_start_ns);
  if (c.scripted != nullptr) c.scripted->connect_ns += now_ns - c.phase_start_ns;
  c.phase_start_ns = now_ns;
  if (target.tunnel_transport == nullptr) return tunnelled(c);
  c.state = ConnectionState::kTunnelling;
  c.opening = std::make_unique<HeadExchange>(target.prepared->openings.connect_request);
  return tunnel(c);
}

// Goes on with the exchange of heads.
HeadExchange::Step Connector::exchange(Connection& c, net::Transport& transport) {
  const uint64_t sent = c.opening->sent();
  const uint64_t received = c.opening->received();
  const HeadExchange::Step step = c.opening->drive(transport, c.stream);
  worker_.recorder.bytes_sent(c.opening->sent() - sent);
  worker_.recorder.bytes_received(c.opening->received() - received);
  return step;
}

Connector::Made Connector::tunnel(Connection& c) {
  using Step = HeadExchange::Step;
  const Step step = exchange(c, *worker_.target_of(c).tunnel_transport);
  if (step == Step::kPending) return Made::kPending;
  if (step == Step::kFailed) {
    return fail(c, ErrorKind::kProxyRefused, Phase::kProxy, c.opening->error());
  }
  const std::string_view status = http::status_line(c.opening->head());
  const uint16_t code = http::status_of(status);
  if (code < 200 || code > 299) {
    return fail(c, ErrorKind::kProxyRefused, Phase::kProxy,
                "no tunnel to " + worker_.target_of(c).prepared->origin + ": it answered " +
                    base::printable(status));
  }
  // A server speaks first neither in TLS nor before a WebSocket handshake.
  if (!c.opening->rest().empty()) {
    return fail(c, ErrorKind::kProxyRefused, Phase::kProxy,
                "bytes behind its answer to CONNECT that nobody asked for");
  }
  c.opening.reset();
  add_connect_time(c);
  return tunnelled(c);
}

Connector::Made Connector::tunnelled(Connection& c) {
  if (worker_.target_of(c).prepared->tls == nullptr) return secured(c);
  c.state = ConnectionState::kHandshaking;
  return handshake(c);
}

Connector::Made Connector::handshake(Connection& c) {
  net::Transport& transport = *worker_.target_of(c).transport;
  const net::IoResult result = transport.handshake(c.stream);
  if (result.status == net::IoStatus::kRetry) return Made::kPending;
  if (result.status == net::IoStatus::kFail) {
    if (result.error != 0) {
      return fail(c, ErrorKind::kTlsHandshake, Phase::kTls, base::errno_text(result.error));
    }
    const bool certificate = transport.failure_is_certificate();
    return fail(c, certificate ? ErrorKind::kTlsCertificate : ErrorKind::kTlsHandshake, Phase::kTls,
                transport.failure_text());
  }
  c.unread = !result.drained;  // an alert may have come with the handshake's last bytes
  worker_.recorder.tls_done(add_connect_time(c), transport.resumed(c.stream));
  if (!worker_.tls) worker_.tls = transport.facts(c.stream);
  return secured(c);
}

Connector::Made Connector::secured(Connection& c) {
  const PreparedTarget& target = *worker_.target_of(c).prepared;
  if (target.openings.ws_request.empty()) {
    open(c);
    return Made::kOpen;
  }
  c.state = ConnectionState::kUpgrading;
  c.opening = std::make_unique<HeadExchange>(target.openings.ws_request);
  ++worker_.websocket.handshakes_tried;
  return upgrade(c);
}

Connector::Made Connector::upgrade(Connection& c) {
  using Step = HeadExchange::Step;
  const TargetState& target = worker_.target_of(c);
  const Step step = exchange(c, *target.transport);
  if (step == Step::kPending) return Made::kPending;
  if (step == Step::kFailed) {
    return fail(c, ErrorKind::kUpgradeRefused, Phase::kUpgrade, c.opening->error());
  }
  const http::WsAnswer answer = http::read_ws_answer(
      c.opening->head(), target.prepared->openings.ws_request, target.prepared->openings.ws_key);
  if (!answer.fault.empty()) {
    constexpr uint16_t kSwitchingProtocols = 101;
    if (answer.status != 0 && answer.status != kSwitchingProtocols) {
      ++worker_.websocket.refused_by_status[answer.status];
    }
    return fail(c, ErrorKind::kUpgradeRefused, Phase::kUpgrade, answer.fault);
  }
  ++worker_.websocket.handshakes_opened;
  c.ws = std::make_unique<WebSocket>();
  c.ws->early = c.opening->rest();
  c.unread = c.unread || c.opening->unread();
  c.opening.reset();
  add_connect_time(c);
  open(c);
  return Made::kOpen;
}

// A step behind connecting has come to its end; returns how long it took.
int64_t Connector::add_connect_time(Connection& c) {
  const int64_t now_ns = base::now_ns();
  const int64_t took_ns = now_ns - std::exchange(c.phase_start_ns, now_ns);
  if (c.scripted != nullptr) c.scripted->connect_ns += took_ns;
  return took_ns;
}

bool Connector::late(const Connection& c, int64_t now_ns) const {
  // The timeout is shared by the addresses that may have to be tried, so that one that swallows
  // packets leaves time for the next.
  const TargetState& target = worker_.targets[c.target];
  const auto known = static_cast<int64_t>(target.prepared->addresses.size());
  const bool connecting = c.state == ConnectionState::kConnecting;
  const int64_t share = worker_.run.timeout_ns / (connecting ? known : 1);
  return now_ns - c.phase_start_ns >= share;
}

Connector::Made Connector::on_timeout(Connection& c, uint64_t token) {
  if (c.state == ConnectionState::kConnecting) return next_address(c, token, ETIMEDOUT);
  const std::string limit = base::format_span(worker_.run.timeout_ns);
  if (c.state == ConnectionState::kTunnelling) {
    return fail(c, ErrorKind::kConnectTimeout, Phase::kProxy, "no tunnel within " + limit);
  }
  if (c.state == ConnectionState::kUpgrading) {
    return fail(c, ErrorKind::kConnectTimeout, Phase::kUpgrade,
                "no answer to the WebSocket handshake within " + limit);
  }
  return fail(c, ErrorKind::kConnectTimeout, Phase::kTls, "no TLS handshake within " + limit);
}

Connector::Made Connector::fail(const Connection& c, ErrorKind kind, Phase phase,
                                const std::string& reason) {
  std::string where = worker_.target_of(c).address(c).text();
  if (worker_.run.through_proxy && phase == Phase::kConnect) {
    where.insert(0, "proxy ");
  } else if (worker_.run.through_proxy && phase != Phase::kProxy) {
    where = worker_.target_of(c).prepared->origin + " through proxy " + where;
  }
  return fail_as(c, {kind, phase, std::string(phase_name(phase)) + " " + where + ": " + reason});
}

Connector::Made Connector::fail_as(const Connection& c, Failure failure) {
  failure_ = std::move(failure);
  // The connection of an exchange that goes on: Fleet counts it with the request that ends by it.
  const bool follows = worker_.wants.follow_ups && !c.inflight.empty();
  if (!follows) {
    worker_.count_error(c, failure_.kind, failure_.phase, failure_.text, 0,
                        WorkerState::Queued::kLost);
  }
  return Made::kFailed;
}

void Connector::open(Connection& c) {
  c.state = ConnectionState::kOpen;
  c.busy_since_ns = 0;
  worker_.recorder.opened(c.opened_before);
  c.opened_before = true;
}

}  // namespace carronade::load
