#include "carronade/host_recorder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "load/thread_usage.h"
#include "pace/schedule.h"
#include "run/host_watch.h"
#include "stats/recorder.h"
#include "stats/schedule_recorder.h"

namespace carronade {
namespace {

// A ticket is a slot and how often the slot was used before: 2^28 requests in flight at most, and
// the same ticket again after 2^24 uses of a slot.
constexpr uint64_t kSlotBits = 28;
constexpr uint64_t kUses = uint64_t{1} << 24;
constexpr int64_t kUnset = -1;
// Standard streams, and what a host has open before it connects.
constexpr uint64_t kOwnDescriptors = 32;

RateSpec rate_spec(double rate) {
  RateSegment segment;
  segment.from = segment.to = rate;
  RateSpec spec;
  spec.stages.push_back({"", {segment}});
  return spec;
}

// One schedule, and what became of its arrivals.
struct OpenPart {
  OpenPart(double rate, int64_t load_ns, std::optional<uint64_t> amount)
      : spec(rate_spec(rate)),
        profile(spec.stages),
        schedule(profile, spec, {}, load_ns, amount),
        recorder(stats::ScheduleRecorder::Options{}) {}

  RateSpec spec;
  pace::RateProfile profile;
  pace::Schedule schedule;
  stats::ScheduleRecorder recorder;
};

struct Flight {
  uint64_t uses = 1;  // of the slot, this one included
  bool open = false;
  int64_t due_ns = 0;
  int64_t sent_ns = 0;
  int64_t first_byte_ns = kUnset;
};

}  // namespace

struct HostRecorder::State {
  explicit State(const Options& asked)
      : options(asked), recorder({.start_ns = 0, .sample_interval_ns = asked.sample_interval_ns}) {
    if (options.rate <= 0) return;
    const auto amount = options.amount > 0 ? std::optional(options.amount) : std::nullopt;
    open_part.emplace(options.rate, options.load_ns, amount);
  }

  // Null when the request of the ticket has ended.
  Flight* flight_of(Ticket ticket) {
    const uint64_t slot = ticket % (uint64_t{1} << kSlotBits);
    if (slot >= flights.size()) return nullptr;
    Flight& flight = flights[slot];
    const bool current = flight.open && flight.uses % kUses == ticket >> kSlotBits;
    return current ? &flight : nullptr;
  }

  Ticket take(int64_t due_ns, int64_t now_ns) {
    if (free_slots.empty()) {
      free_slots.push_back(static_cast<uint32_t>(flights.size()));
      flights.emplace_back();
    }
    const uint32_t slot = free_slots.back();
    free_slots.pop_back();
    Flight& flight = flights[slot];
    flight.uses += flight.uses % kUses == kUses - 1 ? 2 : 1;  // never 0: no ticket is 0
    flight.open = true;
    flight.due_ns = due_ns;
    flight.sent_ns = now_ns;
    flight.first_byte_ns = kUnset;
    ++in_flight;
    return (flight.uses % kUses) << kSlotBits | slot;
  }

  void end(Ticket ticket, Flight& flight) {
    flight.open = false;
    free_slots.push_back(static_cast<uint32_t>(ticket % (uint64_t{1} << kSlotBits)));
    --in_flight;
  }

  void advance(int64_t now_ns) {
    if (recorder.advance(now_ns) && open_part) open_part->recorder.advance(now_ns);
  }

  // Takes the next arrival of the schedule.
  int64_t pop_due() {
    const int64_t due_ns = start_ns + open_part->schedule.next_ns();
    open_part->recorder.planned(due_ns);
    open_part->schedule.pop();
    return due_ns;
  }

  bool running() const { return started && !finished; }

  void add_schedule(RunResult& result, int64_t end_ns) {
    // What was due and was neither sent nor refused.
    while (open_part->schedule.next_ns() < end_ns - start_ns) pop_due();
    open_part->recorder.finish(end_ns);
    stats::merge_schedules({&open_part->recorder}, {}, result);
    result.rate->pace = PaceMode::kSleep;
    result.planned = result.rate->planned;
    result.dropped = result.rate->refused + result.rate->unsent;
  }

  void add_health(RunResult& result) const {
    const load::ThreadUsage usage = load::thread_usage();
    WorkerHealth health;
    health.wall_ns = result.elapsed_ns;
    health.cpu_ns = usage.cpu_ns - usage_at_start.cpu_ns;
    if (usage.run_delay_ns >= 0 && usage_at_start.run_delay_ns >= 0) {
      health.run_delay_ns = usage.run_delay_ns - usage_at_start.run_delay_ns;
    }
    if (usage.involuntary_switches >= 0) {
      health.involuntary_switches =
          usage.involuntary_switches - usage_at_start.involuntary_switches;
    }
    result.workers.push_back(std::move(health));
    result.host = host.finish(static_cast<int64_t>(result.connections_peak + kOwnDescriptors));
  }

  const Options options;
  stats::Recorder recorder;
  std::optional<OpenPart> open_part;
  run::HostWatch host;
  load::ThreadUsage usage_at_start;
  bool started = false;
  bool finished = false;
  int64_t start_ns = 0;
  int64_t start_unix_ns = 0;
  std::vector<Flight> flights;
  std::vector<uint32_t> free_slots;
  uint64_t in_flight = 0;
};

HostRecorder::HostRecorder(const Options& options) : state_(std::make_unique<State>(options)) {}

HostRecorder::~HostRecorder() = default;

void HostRecorder::start() {
  State& s = *state_;
  CHECK(!s.started);
  s.started = true;
  s.host.start();
  s.usage_at_start = load::thread_usage();
  s.start_unix_ns = base::unix_now_ns();
  s.start_ns = base::now_ns();
  s.recorder.start(s.start_ns);
  if (s.open_part) s.open_part->recorder.start(s.start_ns, s.options.load_ns);
}

int64_t HostRecorder::next_due_in_ns() const {
  const State& s = *state_;
  if (!s.open_part || !s.running()) return INT64_MAX;
  const int64_t next_ns = s.open_part->schedule.next_ns();
  if (next_ns == pace::Schedule::kOver) return INT64_MAX;
  return s.start_ns + next_ns - base::now_ns();
}

void HostRecorder::refuse_due() {
  State& s = *state_;
  if (next_due_in_ns() == INT64_MAX) return;
  s.pop_due();
  s.open_part->recorder.refused();
  s.recorder.refused();
}

HostRecorder::Ticket HostRecorder::send() {
  State& s = *state_;
  if (!s.running()) return 0;
  if (s.open_part && s.open_part->schedule.next_ns() == pace::Schedule::kOver) return 0;
  const int64_t now_ns = base::now_ns();
  s.advance(now_ns);
  int64_t due_ns = now_ns;
  if (s.open_part) {
    due_ns = s.pop_due();
    s.open_part->recorder.sent(due_ns, now_ns, now_ns, false);
  }
  s.recorder.sent(1);
  return s.take(due_ns, now_ns);
}

void HostRecorder::first_byte(Ticket ticket) {
  Flight* flight = state_->flight_of(ticket);
  if (flight != nullptr && flight->first_byte_ns == kUnset) flight->first_byte_ns = base::now_ns();
}

bool HostRecorder::answered(Ticket ticket, const Answer& answer) {
  State& s = *state_;
  Flight* flight = s.flight_of(ticket);
  if (flight == nullptr || !s.running()) return false;
  const int64_t now_ns = base::now_ns();
  s.advance(now_ns);
  const int64_t first_ns = flight->first_byte_ns == kUnset ? now_ns : flight->first_byte_ns;
  s.recorder.bytes_received(answer.wire_bytes);
  s.recorder.answered(answer.status, now_ns - flight->due_ns, first_ns - flight->sent_ns,
                      answer.body_bytes, answer.wire_bytes);
  if (s.open_part) {
    s.open_part->recorder.answered(answer.status, flight->due_ns, flight->sent_ns, now_ns);
  }
  s.end(ticket, *flight);
  return true;
}

bool HostRecorder::failed(Ticket ticket, ErrorKind kind, Phase phase, std::string_view text) {
  State& s = *state_;
  Flight* flight = s.flight_of(ticket);
  if (flight == nullptr || !s.running()) return false;
  s.advance(base::now_ns());
  s.recorder.error(kind, phase, text, 1);
  if (s.open_part) s.open_part->recorder.lost(flight->due_ns);
  s.end(ticket, *flight);
  return true;
}

int64_t HostRecorder::age_ns(Ticket ticket) const {
  const Flight* flight = state_->flight_of(ticket);
  return flight == nullptr ? 0 : base::now_ns() - flight->due_ns;
}

void HostRecorder::opened(bool again) {
  if (state_->running()) state_->recorder.opened(again);
}

void HostRecorder::closed() {
  State& s = *state_;
  if (s.running() && s.recorder.totals().open > 0) s.recorder.closed();
}

void HostRecorder::bytes_sent(uint64_t bytes) {
  if (state_->running()) state_->recorder.bytes_sent(bytes);
}

uint64_t HostRecorder::in_flight() const { return state_->in_flight; }

Progress HostRecorder::progress() const {
  const State& s = *state_;
  const stats::Recorder::Totals& totals = s.recorder.totals();
  Progress progress;
  progress.elapsed_ns = s.running() ? base::now_ns() - s.start_ns : 0;
  progress.sent = totals.sent;
  progress.answered = totals.answered;
  progress.errors = totals.errors;
  progress.bytes_received = totals.bytes_received;
  progress.connections = totals.open;
  return progress;
}

RunResult HostRecorder::finish(StoppedBy why) {
  State& s = *state_;
  CHECK(s.running());
  const int64_t end_ns = base::now_ns();
  s.advance(end_ns);
  s.recorder.finish(end_ns);
  s.finished = true;
  RunResult result = stats::merge({&s.recorder}, s.start_ns, end_ns);
  result.start_unix_ns = s.start_unix_ns;
  result.stopped_by = why;
  result.sample_interval_ns = s.options.sample_interval_ns;
  result.connections_asked = s.options.connections;
  result.in_flight = s.in_flight;
  if (s.open_part) {
    s.add_schedule(result, end_ns);
  } else if (s.options.amount > 0) {
    result.planned = std::max(s.options.amount, result.sent);
    result.dropped = result.planned - result.sent;
  }
  s.add_health(result);
  CHECK(result.conserved());
  return result;
}

}  // namespace carronade
