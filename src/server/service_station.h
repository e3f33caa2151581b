// Decides when answers are due, and knows the truth about it. One for the whole server: its
// queue is one over all threads and connections, so it has a lock. A server whose answers never
// wait has no station and takes no lock.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>

#include "server/server_spec.h"
#include "server/service_law.h"
#include "server/service_queue.h"
#include "server/service_truth.h"

namespace carronade::server {

// The end of the stall that `when_ns` falls into, or `when_ns` itself.
int64_t after_stall(const StallSpec& stall, int64_t start_ns, int64_t when_ns);

// All times are monotonic. From any thread.
class ServiceStation {
 public:
  // Whether these options make answers wait, or want to know when requests arrive.
  static bool is_needed(const ServerSpec& spec);

  // `start_ns`: when the server started; stalls count from it.
  ServiceStation(const ServerSpec& spec, int64_t start_ns);

  // Whether an answer may have to wait: if not, note_arrivals() will do for admit().
  bool delays() const { return delays_; }

  // A request that was complete at `arrival_ns`: when its answer is due. It is served for
  // `service_ns`, or when that is negative for the next time drawn. Not before `not_before_ns`:
  // answers on one connection keep their order.
  int64_t admit(int64_t arrival_ns, int64_t service_ns, int64_t not_before_ns);
  // Requests that are answered at once.
  void note_arrivals(int64_t arrival_ns, uint64_t count);
  // Answers that were due at these times were given to the socket.
  void note_sent(std::span<const int64_t> due_ns, int64_t sent_ns);

  ServiceTruth truth() const;
  // truth_members() and arrivals_json() of the truth.
  std::string stats_members() const;
  std::string arrivals() const;

 private:
  const ServiceLaw law_;
  const uint64_t seed_;
  const StallSpec stall_;
  const int64_t start_ns_;
  const bool delays_;
  mutable std::mutex mutex_;
  uint64_t drawn_ = 0;
  ServiceQueue queue_;
  DepartureGate gate_;
  ServiceTruth truth_;
};

}  // namespace carronade::server
