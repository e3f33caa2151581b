// One thread of the test server: a loop, a listening socket, the connections it accepted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "net/loop.h"
#include "net/timer.h"
#include "net/tls_context.h"
#include "net/wakeup.h"
#include "server/request_sampler.h"
#include "server/server_connection.h"
#include "server/service_station.h"
#include "server/wake_guard.h"
#include "server/worker_kit.h"

namespace carronade::server {

// What all workers share; const while they run, board, sampler and station excepted.
struct ServerShared {
  explicit ServerShared(const ServerSpec& ordered) : spec(ordered), bodies(ordered.page) {}
  ServerSpec spec;
  BodySource bodies;
  std::unique_ptr<net::TlsServerContext> tls;  // null: plain
  std::unique_ptr<StatsBoard> board;
  RequestSampler sampler;
  std::unique_ptr<ServiceStation> station;  // null when no option makes answers wait
};

class ServerWorker {
 public:
  // `listener` is a listening, non-blocking socket that outlives the worker; several workers may
  // accept from the same one.
  ServerWorker(ServerShared& shared, int index, int listener);

  // Serves on the calling thread until stop(), then closes all connections.
  void run();
  // What it has open before run(), the listener with it; the rest it opens and closes in there.
  std::vector<int> descriptors() const {
    return {listener_, loop_.poll_fd(), timer_.fd(), wakeup_.fd()};
  }
  // From any thread and from a signal handler.
  void stop();

 private:
  struct Slot {
    std::unique_ptr<ServerConnection> connection;
    uint32_t generation = 0;
    bool queued = false;   // in again_
    bool dying = false;    // closed, freed at the end of the turn
    int64_t armed_ns = 0;  // of its wake-up in wakes_; 0: none
  };
  struct Wake {
    int64_t when_ns;
    uint64_t token;
    bool operator>(const Wake& other) const { return when_ns > other.when_ns; }
  };

  void on_event(const net::Loop::Event& event);
  void accept_some();
  void pause_accepting();
  void resume_accepting();
  void adopt(base::UniqueFd fd);
  Slot* find(uint64_t token);
  void settle(Slot& slot, uint64_t token, ServerConnection::Verdict verdict);
  void run_again();
  void run_wakes();
  void plan_next_wake();
  void arm_timer(int64_t when_ns);
  void free_dying();

  int listener_;
  bool accepting_ = false;
  net::Loop loop_;
  net::Timer timer_;
  net::Wakeup wakeup_;
  std::atomic<bool> stopping_{false};
  std::unique_ptr<net::Transport> raw_;
  std::unique_ptr<net::Transport> tls_;
  WorkerKit kit_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_slots_;
  std::vector<uint32_t> dying_;
  std::vector<uint64_t> again_;
  std::vector<uint64_t> again_now_;
  std::priority_queue<Wake, std::vector<Wake>, std::greater<Wake>> wakes_;
  int64_t timer_ns_ = 0;  // what timer_ is set to; 0: nothing
  WakeGuard guard_;
  bool polling_ = false;  // what is due next is so near that sleeping would miss it
};

}  // namespace carronade::server
