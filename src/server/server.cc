#include "server/server.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <csignal>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "net/descriptors.h"
#include "net/resolve.h"
#include "net/socket.h"
#include "server/server_worker.h"

namespace carronade::server {
namespace {

constexpr int kBacklog = 4096;
constexpr int64_t kResolveTimeoutNs = 5'000'000'000;

// The threads of a server take no signals: those are for the program. A blocked SIGPIPE turns
// into an error of the write that caused it, also inside OpenSSL.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

Expected<net::Address> listen_address(const ServerSpec& spec) {
  if (!spec.unix_path.empty()) return net::Address::from_unix_path(spec.unix_path);
  auto addresses = net::resolve(spec.host, spec.port, kResolveTimeoutNs, nullptr);
  if (!addresses) return unexpected(addresses.error());
  return addresses->front();
}

// Its loops cannot do without descriptors. They are counted by taking them for a moment, since
// the limit does not say how many the program holds already.
Expected<void> check_descriptors(const ServerSpec& spec) {
  constexpr size_t kPerWorker = 3;  // epoll, timer, wake-up
  constexpr size_t kOthers = 8;     // the resolver, the first connections
  const auto threads = static_cast<size_t>(spec.threads);
  const size_t needed = threads * kPerWorker + (spec.unix_path.empty() ? threads : 1) + kOthers;
  net::raise_descriptor_limit();
  std::vector<base::UniqueFd> taken;
  while (taken.size() < needed) {
    taken.emplace_back(eventfd(0, EFD_CLOEXEC));
    if (taken.back().valid()) continue;
    return unexpected(
        fmt::format("{} file descriptors needed, {} available (raise the hard limit: "
                    "ulimit -Hn)",
                    needed, taken.size() - 1));
  }
  return {};
}

}  // namespace

struct Server::State {
  explicit State(const ServerSpec& spec) : shared(spec) {}

  ServerShared shared;
  std::mutex log_mutex;
  net::Address address;
  std::vector<base::UniqueFd> listeners;
  std::vector<std::unique_ptr<ServerWorker>> workers;
  std::vector<std::thread> threads;

  Expected<void> listen();
  Expected<void> start_threads();
};

// One listening socket for each worker, so that the kernel spreads the connections; a Unix
// socket cannot be bound twice and is shared.
Expected<void> Server::State::listen() {
  const ServerSpec& spec = shared.spec;
  auto wanted = listen_address(spec);
  if (!wanted) return unexpected(wanted.error());
  address = *wanted;
  const bool is_unix = !spec.unix_path.empty();
  const bool several = spec.threads > 1 && !is_unix;
  if (several && spec.port != 0) {
    // SO_REUSEPORT would let a second server share the port unseen: look first.
    auto probe = net::listen_stream(address, kBacklog, false);
    if (!probe) return unexpected(probe.error());
  }
  for (int i = 0; i < (several ? spec.threads : 1); ++i) {
    auto listener = net::listen_stream(address, kBacklog, several);
    if (!listener) return unexpected(listener.error());
    if (!is_unix) address = net::local_address(listener->get());
    listeners.push_back(std::move(*listener));
  }
  return {};
}

// The ones before a thread that cannot be had are left running.
Expected<void> Server::State::start_threads() {
  threads.reserve(workers.size());
  for (const auto& worker : workers) {
    try {
      // Each of several has a table of descriptors, so that the limit is for its own connections.
      threads.emplace_back([worker = worker.get(), several = workers.size() > 1] {
        const bool separated = several && net::separate_descriptors(worker->descriptors());
        worker->run();
        if (separated) net::close_separated_descriptors();
      });
    } catch (const std::system_error& error) {
      return unexpected(fmt::format("start thread {} of {}: {} (ulimit -u)", threads.size() + 1,
                                    workers.size(), error.what()));
    }
  }
  return {};
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() { stop(); }

Expected<std::unique_ptr<Server>> Server::start(const ServerSpec& spec) {
  if (auto checked = check_spec(spec); !checked) return unexpected(checked.error());
  auto state = std::make_unique<State>(spec);
  ServerShared& shared = state->shared;
  if (spec.log_headers) {
    shared.spec.log_headers = [sink = spec.log_headers,
                               mutex = &state->log_mutex](std::string_view head) {
      const std::lock_guard lock(*mutex);
      sink(head);
    };
  }
  if (spec.tls) {
    auto tls = net::TlsServerContext::create(spec.certificate_file, spec.key_file);
    if (!tls) return unexpected(tls.error());
    shared.tls = std::move(*tls);
  }
  if (auto enough = check_descriptors(spec); !enough) return unexpected(enough.error());
  if (auto listening = state->listen(); !listening) return unexpected(listening.error());

  shared.board = std::make_unique<StatsBoard>(spec.threads);
  if (ServiceStation::is_needed(spec)) {
    shared.station = std::make_unique<ServiceStation>(spec, base::now_ns());
  }
  const SignalsBlocked blocked;
  for (int i = 0; i < spec.threads; ++i) {
    const size_t listener = static_cast<size_t>(i) % state->listeners.size();
    state->workers.push_back(
        std::make_unique<ServerWorker>(shared, i, state->listeners[listener].get()));
  }
  // From here on the server's destructor stops what runs.
  std::unique_ptr<Server> server(new Server(std::move(state)));
  if (auto started = server->state_->start_threads(); !started) return unexpected(started.error());
  return server;
}

std::string Server::url() const {
  const ServerSpec& spec = state_->shared.spec;
  const std::string_view scheme = spec.tls ? "https" : "http";
  if (!spec.unix_path.empty()) return fmt::format("{}+unix:{}", scheme, spec.unix_path);
  return fmt::format("{}://{}", scheme, state_->address.text());
}

uint16_t Server::port() const { return state_->address.port(); }

StatsSnapshot Server::stats() const { return state_->shared.board->snapshot(); }

std::optional<ServiceTruth> Server::truth() const {
  const auto& station = state_->shared.station;
  return station ? std::optional(station->truth()) : std::nullopt;
}

void Server::ask_sample() { state_->shared.sampler.ask(); }
std::optional<RequestSample> Server::take_sample() { return state_->shared.sampler.take(); }

void Server::request_stop() {
  for (const auto& worker : state_->workers) worker->stop();
}

void Server::wait() {
  for (std::thread& thread : state_->threads) {
    if (thread.joinable()) thread.join();
  }
}

void Server::stop() {
  request_stop();
  wait();
  // Not with the object: whoever waits for the port gets it now.
  if (state_->listeners.empty()) return;
  state_->listeners.clear();
  if (!state_->shared.spec.unix_path.empty()) unlink(state_->shared.spec.unix_path.c_str());
}

}  // namespace carronade::server
