// HOT. What a worker of an attack sends, and what becomes of it: the next target with the next
// number, redirects, and an outcome for each request on its way to the output.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/request_source.h"
#include "cli/record_writer.h"
#include "dialects/vegeta/vegeta_attack_hosts.h"
#include "dialects/vegeta/vegeta_attack_options.h"
#include "dialects/vegeta/vegeta_attack_records.h"
#include "dialects/vegeta/vegeta_target_feed.h"

namespace carronade::dialects::vegeta {

// What the workers of one attack share. Outlives them.
struct AttackState {
  const AttackOptions& options;
  const RequestRules& rules;
  const AttackHosts& hosts;
  TargetFeed& feed;
  cli::RecordWriter& records;
  RecordLosses losses{};
  int64_t unix_minus_clock_ns = 0;  // what makes wall time of the monotonic clock
  // Of a closed loop: how long requests are given, from the first one on, and when that was. What
  // comes before it (names, threads, the first connection) may take longer than a short attack.
  int64_t requests_for_ns = INT64_MAX;
  std::atomic<int64_t> first_ns{0};
  // With several hosts a connection prefers a target of its own host among so many, and none of
  // them is passed over more often.
  size_t look_ahead = 1;
  std::atomic<uint64_t> next_seq{0};
  // Requests that a source has given and that have not ended.
  std::atomic<int64_t> open{0};
  std::atomic<bool> stopping{false};  // asked to: no further request
  std::atomic<bool> targets_over{false};
};

class AttackSource : public RequestSource {
 public:
  AttackSource(AttackState& state, uint32_t worker)
      : state_(state), queue_(state.records.queue(worker)) {}

  SourceWants wants() const override;
  NextRequest next(uint32_t connection, std::string& out) override;
  bool on_response(const Response& response) override;
  void on_loss(const Loss& loss) override;
  uint32_t target() const override { return target_; }
  uint32_t upcoming_target() override;
  bool follow_up(const Response& response, std::string& out) override;

 private:
  // A request with who keeps it.
  struct Taken {
    const AttackRequest* request = nullptr;
    std::unique_ptr<AttackRequest> owned;
    uint32_t passed_over = 0;
  };
  // One connection of the worker.
  struct Slot {
    Taken first;                         // the target's request; null: nothing is open
    std::unique_ptr<AttackRequest> hop;  // the one that a redirect led to; null: none yet
    Url hop_url;
    uint32_t hops = 0;
    uint32_t place = 0;  // of the run's targets, the one that it is connected to
    uint64_t seq = 0;
    std::string fault;  // why a redirect was not followed
  };

  Slot& slot(uint32_t connection);
  Taken pick(uint32_t host);
  Taken take(Wait wait);
  void note_end();
  bool in_time();
  void go_to(Slot& slot, uint32_t host);
  void end(Slot& slot);
  void record_loss(const Loss& loss, const AttackRequest& request, uint64_t seq);
  std::string redirect(Slot& slot, const Response& response, std::string& out);

  AttackState& state_;
  cli::RecordQueue& queue_;
  std::vector<Slot> slots_;         // by the number of the connection
  std::vector<Taken> passed_over_;  // several hosts: what waits for a connection to its own
  uint32_t target_ = 0;
  uint32_t turn_ = 0;  // of the places of a host
};

}  // namespace carronade::dialects::vegeta
