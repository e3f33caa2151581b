// The bundled test server: HTTP/1.1 on threads of its own, with answers as ordered. It never
// blocks on a client and never dies of one.
//
//   auto server = carronade::server::Server::start(spec);
//   if (!server) { puts(server.error().text.c_str()); return 1; }
//   printf("listening on %s\n", (*server)->url().c_str());
//   (*server)->wait();                   // until request_stop(), e.g. from a signal handler
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "carronade/expected.h"
#include "server/request_sampler.h"
#include "server/server_spec.h"
#include "server/server_stats.h"
#include "server/service_truth.h"

namespace carronade::server {

class Server {
 public:
  // Binds, then starts the threads: connections are taken from the moment this returns. The
  // error is one line with the address and the reason, or says how many descriptors or threads
  // could not be had. The soft RLIMIT_NOFILE is raised as far as allowed.
  static Expected<std::unique_ptr<Server>> start(const ServerSpec& spec);
  // stop().
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // "http://127.0.0.1:7357", "https://[::1]:8443"; for a Unix socket "http+unix:/run/x.sock".
  std::string url() const;
  uint16_t port() const;  // the one in use; 0 for a Unix socket

  // What has been counted so far, over all threads; from any thread, at any time. The same
  // figures as /stats.
  StatsSnapshot stats() const;
  // Likewise, what it meant to do and did; none when no option makes answers wait or has arrivals
  // recorded.
  std::optional<ServiceTruth> truth() const;

  // The next request that comes is kept for take_sample(); asking again before it has come
  // changes nothing. From any thread.
  void ask_sample();
  std::optional<RequestSample> take_sample();

  // Tells the threads to end; from any thread and from a signal handler, any number of times.
  void request_stop();
  // Blocks until the threads have ended. From one thread at a time.
  void wait();
  // Both: closes all connections at once, whatever they wait for.
  void stop();

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace carronade::server
