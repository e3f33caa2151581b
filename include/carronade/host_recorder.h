// For a host that sends requests with an HTTP client of its own (Node's http.request): it says what
// happens, and gets the RunResult that a Run would give, timed by the same clock and counted by
// the same recorder. Every call takes its own time stamp. One thread.
//
//   HostRecorder recorder({.amount = 100});
//   recorder.start();
//   const auto ticket = recorder.send();  // and the request leaves
//   recorder.first_byte(ticket);
//   recorder.answered(ticket, {.status = 200, .body_bytes = 2, .wire_bytes = 90});
//   RunResult result = recorder.finish(StoppedBy::kAmount);
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "carronade/observer.h"
#include "carronade/run_result.h"

namespace carronade {

class HostRecorder {
 public:
  struct Options {
    uint64_t amount = 0;       // requests asked for; 0: no limit was
    uint32_t connections = 0;  // asked for; for the report only
    // Requests per second, evenly spaced: an open loop. 0: a closed loop.
    double rate = 0;
    int64_t load_ns = INT64_MAX;  // how long the schedule goes on, unless the amount ends it
    int64_t sample_interval_ns = 1'000'000'000;
  };
  struct Answer {
    uint16_t status = 0;  // a status above 999 counts as 999
    uint64_t body_bytes = 0;
    uint64_t wire_bytes = 0;  // head and body
  };
  // Stands for one request in flight. Not 0, and below 2^53, so that it fits into a double.
  using Ticket = uint64_t;

  explicit HostRecorder(const Options& options);
  ~HostRecorder();
  HostRecorder(const HostRecorder&) = delete;
  HostRecorder& operator=(const HostRecorder&) = delete;

  // Once, before all others: the run, and its schedule, begin now.
  void start();

  // Open loop. How long until the next request is due, ns; ≤ 0: one is due. INT64_MAX: the
  // schedule is over, or there is none.
  int64_t next_due_in_ns() const;
  // The request that is due will not be sent: it counts as dropped.
  void refuse_due();

  // A request leaves now. In an open loop it is the next one of the schedule; 0: that is over.
  Ticket send();
  // The first byte of its answer is here; the first call counts. Without one it is the last byte.
  void first_byte(Ticket ticket);
  // Each ends the request of a ticket. False, and nothing is counted, when it has ended already:
  // the answer that comes behind a timeout. A timeout of either kind counts as timed out, other
  // kinds as failed; `text` as in ErrorCount.
  bool answered(Ticket ticket, const Answer& answer);
  bool failed(Ticket ticket, ErrorKind kind, Phase phase, std::string_view text);
  // How long ago the request was due (closed loop: sent), ns; 0 when it has ended.
  int64_t age_ns(Ticket ticket) const;

  // A connection was made (`again`: in place of one that is gone), or is gone.
  void opened(bool again);
  void closed();
  void bytes_sent(uint64_t bytes);

  uint64_t in_flight() const;
  Progress progress() const;

  // Once; afterwards nothing is counted any more. What is in flight is counted as such.
  RunResult finish(StoppedBy why);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace carronade
