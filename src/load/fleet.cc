#include "load/fleet.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "load/ending.h"

namespace carronade::load {
namespace {

// Connections being made at once: more would only wait in line at the server, and the loop would
// see the first completion after the last system call.
constexpr uint32_t kConnectBatch = 64;
constexpr int64_t kFirstBackoffNs = 10'000'000;
constexpr int kBackoffDoublings = 7;  // 10 ms … 1.28 s
constexpr int64_t kBusyPauseNs = 2'000'000;
constexpr int64_t kNoRoomPauseNs = 1'000'000;
// A slot that ends and connects without waiting for anything gives way to the others after so
// many rounds.
constexpr int kImmediateRounds = 4;

bool being_made(const Connection& c) {
  return c.state >= ConnectionState::kConnecting && c.state < ConnectionState::kOpen;
}

}  // namespace

void Fleet::start() {
  last_opened_ns_ = base::now_ns();
  start_more();
}

void Fleet::start_more() {
  while (connecting_ < kConnectBatch && next_unstarted_ < wanted_) {
    const uint32_t index = next_unstarted_++;
    if (wants_socket(slot(index))) {
      make(index);
    } else {
      finish(index);
    }
  }
}

// Whether there is something to send on a new socket; takes one request from the budget if not
// yet.
bool Fleet::wants_socket(Connection& c) {
  if (!worker_.wants.targets && worker_.target_of(c).prepared->addresses.empty()) return false;
  if (c.scripted != nullptr && c.scripted->destroyed) return false;
  if (c.resend > 0 || c.queued > 0) return true;
  if (worker_.connects_on_demand()) return take_for_new(c);
  if (worker_.open_loop) return !worker_.open_loop->over();
  return dispatcher_.take(c, 1) > 0;
}

// Connecting on demand: the request that has waited for longest, for a connection to be made.
bool Fleet::take_for_new(Connection& c) {
  OpenLoop& open = *worker_.open_loop;
  if (!open.has_waiting() || (c.scripted != nullptr && worker_.fetch(c, 1) == 0)) return false;
  c.arrival = open.take();
  c.arrival_waited = true;
  c.queued = 1;
  return true;
}

void Fleet::make(uint32_t index) {
  if (slot(index).busy_since_ns != 0) --busy_;
  // A pause may have been what it waited for: its request is asked for now.
  if (!wants_socket(slot(index))) return finish(index);
  ++connecting_;
  after_making(index, connector_.start(slot(index), token(index)));
}

void Fleet::after_making(uint32_t index, Connector::Made made) {
  if (made == Connector::Made::kPending) return;
  --connecting_;
  if (made == Connector::Made::kOpen) {
    settle(index, opened(index));
  } else {
    not_made(index, made);
  }
}

After Fleet::opened(uint32_t index) {
  Connection& c = slot(index);
  last_opened_ns_ = base::now_ns();
  const After after = io_.on_open(c);
  if (c.unread && after == After::kKeep) unread_.push_back(index);
  return after;
}

void Fleet::not_made(uint32_t index, Connector::Made made) {
  if (made == Connector::Made::kFailed) return connect_failed(index);
  ++busy_;
  close(slot(index));
  wait(index, base::now_ns() + kBusyPauseNs);
}

// The request that the connection was to be made for.
void Fleet::lose_queued(Connection& c) {
  for (; c.queued > 0; --c.queued) worker_.open_loop->refuse_taken(worker_.recorder);
  if (SourcedRequests* const own = c.sourced()) own->keep_oldest(c.inflight.total());
}

void Fleet::on_event(const net::Loop::Event& event) {
  const auto index = static_cast<uint32_t>(event.token);
  Connection& c = slot(index);
  if (c.generation != static_cast<uint32_t>(event.token >> 32)) return;
  if (c.state == ConnectionState::kOpen) {
    c.hung_up = c.hung_up || event.hung_up();
    ready(index);
  } else if (being_made(c)) {
    if (c.state == ConnectionState::kConnecting && !event.writable()) return;
    const Connector::Made made = connector_.on_ready(c, token(index));
    if (made == Connector::Made::kOpen && event.readable()) {
      // No other event will tell of what came together with this one.
      c.unread = true;
      c.hung_up = event.hung_up();
    }
    after_making(index, made);
    start_more();
  }
}

void Fleet::ready(uint32_t index) { run_io(index, &ConnectionIo::on_ready); }

void Fleet::run_io(uint32_t index, After (ConnectionIo::*step)(Connection&)) {
  Connection& c = slot(index);
  const bool listed = c.unread;
  const After after = (io_.*step)(c);
  if (c.unread && !listed && after == After::kKeep) unread_.push_back(index);
  if (after != After::kKeep) settle(index, after);
}

void Fleet::read_unread() {
  unread_now_.swap(unread_);
  for (const uint32_t index : unread_now_) {
    Connection& c = slot(index);
    if (c.state != ConnectionState::kOpen || !c.unread) continue;
    c.unread = false;
    ready(index);
  }
  unread_now_.clear();
}

void Fleet::send_next() {
  answered_now_.swap(io_.answered());
  for (const uint32_t index : answered_now_) {
    if (slot(index).state == ConnectionState::kOpen) run_io(index, &ConnectionIo::refill);
  }
  answered_now_.clear();
}

void Fleet::settle(uint32_t index, After after) {
  for (int round = 0; after != After::kKeep; ++round) {
    // It was told as lost: not to be given back to the line.
    if (after == After::kReopenLater && worker_.connects_on_demand()) lose_queued(slot(index));
    close(slot(index));
    if (after == After::kReopenLater) return connect_failed(index);
    if (!wants_socket(slot(index))) return finish(index);
    if (round == kImmediateRounds) return wait(index, base::now_ns());
    if (!reconnect(index, after)) return;
  }
}

// Connects at once. True when the connection is open already and `after` says how it went on.
bool Fleet::reconnect(uint32_t index, After& after) {
  const Connector::Made made = connector_.start(slot(index), token(index));
  if (made == Connector::Made::kOpen) {
    after = opened(index);
    return true;
  }
  if (made == Connector::Made::kPending) {
    ++connecting_;
  } else {
    not_made(index, made);
  }
  return false;
}

// In a closed loop the request that wanted this connection is used up, so that a run for an
// amount ends even when nobody answers; the next one has to wait.
void Fleet::connect_failed(uint32_t index) {
  Connection& c = slot(index);
  if (!c.inflight.empty() && worker_.wants.follow_ups) {
    const Connector::Failure& failure = connector_.failure();
    end_by_us(worker_, c, failure.kind, failure.phase, failure.text);
  } else if (!c.inflight.empty()) {
    end_by_us(worker_, c, ErrorKind::kClosedBeforeResponse, Phase::kConnect,
              "read " + worker_.target_of(c).address(c).text() +
                  ": closed before response, and no new connection for the retry");
  } else if (worker_.connects_on_demand()) {
    lose_queued(c);
  } else if (!worker_.open_loop) {
    if (c.queued == 0) dispatcher_.take(c, 1);
    if (c.queued > 0) --c.queued;  // what a source made for it is kept for the next
    // Unless that would keep the connection at a target that cannot be reached.
    if (worker_.wants.targets) c.scripted->requests.keep_oldest(0);
  }
  close(c);
  if (worker_.connects_on_demand()) return finish(index);  // until more are due
  const int64_t now_ns = base::now_ns();
  // A source that chooses targets is asked behind the pause: where to go is its next request's.
  if (gives_up(now_ns) || (!worker_.wants.targets && !wants_socket(c))) {
    finish(index);
    return;
  }
  const int doublings = std::min<int>(c.failures_in_row, kBackoffDoublings);
  if (c.failures_in_row < UINT8_MAX) ++c.failures_in_row;
  // Spread over a quarter of the pause, so that slots that failed together do not retry together.
  const int64_t pause = kFirstBackoffNs << doublings;
  wait(index, now_ns + pause + pause / 64 * (index % 16));
}

// A run without a duration must end even when the server is gone and the amount is large.
bool Fleet::gives_up(int64_t now_ns) {
  if (worker_.run.duration_ns || worker_.open_loop) return false;
  if (worker_.recorder.totals().open > 0) return false;
  if (now_ns - last_opened_ns_ < worker_.run.timeout_ns) return false;
  gave_up_ = true;
  return true;
}

void Fleet::wait(uint32_t index, int64_t until_ns) {
  slot(index).state = ConnectionState::kWaiting;
  slot(index).phase_start_ns = until_ns;
  waiting_.push_back(index);
  next_retry_ns_ = std::min(next_retry_ns_, until_ns);
}

void Fleet::finish(uint32_t index) {
  Connection& c = slot(index);
  const bool destroyed = c.scripted != nullptr && c.scripted->destroyed;
  if (c.scripted != nullptr && c.scripted->pausing()) {
    const int64_t until_ns = c.scripted->pause_until_ns;
    if (!destroyed && until_ns > base::now_ns()) return wait(index, until_ns);
    c.scripted->pause_until_ns = Scripted::kNoPause;  // nothing came of it
  }
  c.busy_since_ns = 0;
  const bool reachable = worker_.wants.targets || !worker_.target_of(c).prepared->addresses.empty();
  if (worker_.connects_on_demand() && reachable && !destroyed) spare_.push_back(index);
  c.state = ConnectionState::kDone;
  if (c.scripted != nullptr && c.scripted->destroyed) worker_.abandoned += c.inflight.total();
  ++done_;
}

void Fleet::close(Connection& c) {
  if (c.state == ConnectionState::kOpen) worker_.recorder.closed();
  hang_up(c);
  c.session.reset(worker_.head_buffers);
  if (c.expectation) c.expectation->forget();
  if (c.scripted != nullptr) {
    c.scripted->last_on_socket = false;
    if (c.scripted->tap) c.scripted->tap->forget();
  }
  if (worker_.capture && &c == &worker_.connections.front()) worker_.capture->start_again();
  if (worker_.open_loop && c.queued > 0) {
    // What was due for it and has not left is no worse off than the others that wait.
    worker_.open_loop->give_back(c.arrival);
    c.queued = 0;
  }
  if (c.answered_here > 0) c.failures_in_row = 0;
  ++c.generation;
  c.out_pending = c.out_position = 0;
  c.assigned_here = c.answered_here = 0;
  c.unread = c.hung_up = false;
  c.state = ConnectionState::kUnused;
  if (c.scripted != nullptr) c.target = c.scripted->target;
}

void Fleet::retry_waiting(int64_t now_ns) {
  if (now_ns < next_retry_ns_) return;
  std::vector<uint32_t> due;
  uint32_t room = kConnectBatch - std::min(connecting_, kConnectBatch);
  next_retry_ns_ = INT64_MAX;
  std::erase_if(waiting_, [&](uint32_t index) {
    const int64_t at_ns = slot(index).phase_start_ns;
    const Scripted* const scripted = slot(index).scripted.get();
    const bool pause_is_over = scripted != nullptr && scripted->pausing();
    if (at_ns <= now_ns && (room > 0 || pause_is_over)) {
      if (!pause_is_over) --room;
      due.push_back(index);
      return true;
    }
    next_retry_ns_ = std::min(next_retry_ns_, std::max(at_ns, now_ns + kNoRoomPauseNs));
    return false;
  });
  for (const uint32_t index : due) make(index);
}

void Fleet::sweep(int64_t now_ns) {
  for (uint32_t index = 0; index < next_unstarted_; ++index) {
    Connection& c = slot(index);
    if (being_made(c)) {
      if (connector_.late(c, now_ns)) {
        after_making(index, connector_.on_timeout(c, token(index)));
      }
    } else if (c.state == ConnectionState::kOpen && io_.overdue(c, now_ns)) {
      end_overdue(worker_, c, now_ns);
      settle(index, After::kReopen);
    }
  }
  farewell_.collect(now_ns);
  start_more();
}

void Fleet::dispatch_due(int64_t now_ns) {
  OpenLoop& open = *worker_.open_loop;
  open.collect(now_ns, worker_.recorder);
  while (open.has_waiting()) {
    const std::optional<uint32_t> index = dispatcher_.next_free();
    if (!index) break;
    run_io(*index, &ConnectionIo::on_due);
  }
  open.leave_in_line();
  if (!open.has_waiting()) return;
  while (!spare_.empty() && can_connect_more()) {
    const uint32_t index = spare_.back();
    spare_.pop_back();
    --done_;
    make(index);
  }
  // As many more as there are requests that wait for one.
  const uint64_t left = worker_.connections.size() - wanted_;
  const uint64_t missing = open.waiting() - std::min<uint64_t>(open.waiting(), coming_free());
  wanted_ += static_cast<uint32_t>(std::min(left, missing));
  start_more();
  if (worker_.run.rate->spec.overflow == Overflow::kDrop) {
    open.refuse_beyond(coming_free() + spare_.size(), worker_.recorder);
  }
}

bool Fleet::can_connect_more() const {
  const bool any = !spare_.empty() || next_unstarted_ < worker_.connections.size();
  return worker_.connects_on_demand() && any && worker_.open_loop->has_waiting() &&
         connecting_ < kConnectBatch && busy_ == 0;
}

// The amount has been handed out, and all of it has ended.
bool Fleet::used_up() const {
  const stats::Recorder::Totals& t = worker_.recorder.totals();
  const uint64_t ended = t.answered + t.failed + t.timed_out + worker_.abandoned;
  if (!worker_.budget.exhausted() || t.sent != ended) return false;
  return std::none_of(worker_.connections.begin(), worker_.connections.end(),
                      [](const Connection& c) { return c.queued > 0; });
}

uint64_t Fleet::in_flight() const {
  uint64_t total = 0;
  for (const Connection& c : worker_.connections) total += c.inflight.total();
  return total;
}

// The recorder is finished by now: what was open at the end stays so in its figures.
void Fleet::close_all(bool may_wait) {
  farewell_.end_counting();
  for (Connection& c : worker_.connections) hang_up(c);
  farewell_.finish(may_wait ? worker_.run.timeout_ns : 0);
}

}  // namespace carronade::load
