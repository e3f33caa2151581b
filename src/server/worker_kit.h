// HOT. What a worker lends to its connections: one of each per thread, not one per connection.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "net/loop.h"
#include "net/transport.h"
#include "server/answer.h"
#include "server/behaviour.h"
#include "server/request_parser.h"
#include "server/request_sampler.h"
#include "server/server_spec.h"
#include "server/server_stats.h"
#include "server/service_station.h"

namespace carronade::server {

// The last request head whose answer is always the same, with that answer. Load repeats itself:
// when the next bytes equal `head`, they need not be parsed again.
struct RequestMemo {
  static constexpr size_t kHeadBytesMax = 2048;
  std::string head;  // "": nothing is known
  std::string answer;
  int status = 0;
};

struct WorkerKit {
  static constexpr size_t kReadBytes = 64 * 1024;

  const ServerSpec& spec;
  net::Loop& loop;
  net::Transport& transport;  // plain or TLS
  net::Transport& raw;        // plain, for what follows TLS's goodbye
  const BodySource& bodies;
  const StatsBoard& board;  // of all workers
  WorkerStats& stats;       // of this one
  Behaviour behaviour;
  ServiceStation* station = nullptr;  // of all workers; null when no answer waits
  RequestSampler* sampler = nullptr;  // of all workers; null: nobody can ask
  RequestMemo memo = {};
  // Received bytes; the first part of a request that is split comes before what is read next.
  std::vector<char> input = std::vector<char>(RequestParser::kHeadBytesMax + kReadBytes);
  // Answers on their way to one socket; empty between connections.
  std::string out = {};
  // When those of them that had to wait were due.
  std::vector<int64_t> out_due_ns = {};
  // When `input` was read; 0: not asked yet.
  int64_t read_ns = 0;
};

inline bool wants_sample(const WorkerKit& kit) {
  return kit.sampler != nullptr && kit.sampler->wanted();
}

// When the request being handled was complete: one stamp for all that came with one read.
inline int64_t arrival_ns(WorkerKit& kit) {
  if (kit.read_ns == 0) kit.read_ns = base::now_ns();
  return kit.read_ns;
}

// When the answer to the request being handled is due; 0: at once. `last_due_ns`: of the last
// answer on its connection that had to wait. Call once per request.
inline int64_t next_due_ns(const Route& route, int64_t& last_due_ns, WorkerKit& kit) {
  if (kit.behaviour.may_wait(route)) {
    last_due_ns = kit.behaviour.due_ns(route, arrival_ns(kit), last_due_ns);
    return last_due_ns;
  }
  if (kit.station != nullptr) kit.station->note_arrivals(arrival_ns(kit), 1);
  return 0;
}

}  // namespace carronade::server
