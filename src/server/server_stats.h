// HOT. Counters of the test server. Each worker writes its own; anyone may add them up.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace carronade::server {

inline constexpr int kStatusLimit = 600;  // statuses are below this

// The sum over all workers at one moment.
struct StatsSnapshot {
  uint64_t connections_accepted = 0;
  uint64_t connections_open = 0;
  uint64_t tls_failures = 0;  // handshakes that failed
  // Complete and well-formed, body included; each WebSocket message is one, its handshake is not.
  // /stats left out.
  uint64_t requests_received = 0;
  uint64_t requests_served = 0;  // answers handed to the socket; /stats and malformed left out
  uint64_t stats_requests = 0;   // of /stats
  // Refused by the parser (400, 413, 417, 431, 501, 505), or ended by it (WebSocket frames).
  uint64_t malformed = 0;
  uint64_t bytes_in = 0;       // HTTP bytes, without TLS's own and those of /stats
  uint64_t bytes_out = 0;      // likewise; given to the socket or waiting for it
  uint64_t body_bytes_in = 0;  // of request bodies, without chunk framing, and of messages
  uint64_t ws_opened = 0;      // WebSocket handshakes answered by 101
  uint64_t ws_refused = 0;     // by another status, as ordered; not the malformed ones
  uint64_t ws_text = 0;        // messages of requests_received
  uint64_t ws_binary = 0;      // likewise
  uint64_t ws_pings = 0;       // received
  uint64_t ws_pongs = 0;       // received
  uint64_t ws_closes = 0;      // close frames received
  // Answers of requests_served (messages have none) and malformed, and those to handshakes.
  std::array<uint64_t, kStatusLimit> by_status{};
};

// The JSON document of /stats, with a newline at its end. `more`: further members, each with a
// comma before it.
std::string stats_json(const StatsSnapshot& stats, std::string_view more);

// One writer, the worker; many readers. A figure is written before the bytes that it counts
// reach the socket, so a client that has its answer finds it counted.
class alignas(64) WorkerStats {
 public:
  // A number with a single writer: a plain add that readers see whole.
  class Counter {
   public:
    void add(uint64_t n) {
      value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    void subtract(uint64_t n) {
      value_.store(value_.load(std::memory_order_relaxed) - n, std::memory_order_relaxed);
    }
    uint64_t get() const { return value_.load(std::memory_order_relaxed); }

   private:
    std::atomic<uint64_t> value_{0};
  };

  Counter accepted;
  Counter closed;
  Counter tls_failures;
  Counter received;
  Counter served;
  Counter stats_requests;
  Counter malformed;
  Counter bytes_in;
  Counter bytes_out;
  Counter body_bytes_in;
  Counter ws_opened;
  Counter ws_refused;
  Counter ws_text;
  Counter ws_binary;
  Counter ws_pings;
  Counter ws_pongs;
  Counter ws_closes;
  std::array<Counter, kStatusLimit> by_status;

  void add_to(StatsSnapshot& sum) const;
};

// The counters of all workers of a server; fixed once the server has started.
class StatsBoard {
 public:
  explicit StatsBoard(int workers) : workers_(static_cast<size_t>(workers)) {}
  WorkerStats& worker(int index) { return workers_[static_cast<size_t>(index)]; }
  StatsSnapshot snapshot() const;

 private:
  std::vector<WorkerStats> workers_;
};

}  // namespace carronade::server
