#include "server/server_worker.h"

#include <sys/prctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "base/clock.h"

namespace carronade::server {
namespace {

// Tokens of what is not a connection; connections have generation << 32 | slot.
constexpr uint64_t kListenerToken = UINT64_MAX;
constexpr uint64_t kTimerToken = UINT64_MAX - 1;
constexpr uint64_t kWakeupToken = UINT64_MAX - 2;
constexpr uint64_t kResumeToken = UINT64_MAX - 3;  // only in wakes_

// Few at a time: several workers may share the listener, and open connections want their turn.
constexpr int kAcceptsPerTurn = 16;
// Out of descriptors: wait for some to be closed instead of asking again at once.
constexpr int64_t kAcceptPauseNs = 10'000'000;
constexpr size_t kSlotsReserved = 1024;

constexpr uint32_t slot_of(uint64_t token) { return static_cast<uint32_t>(token); }

}  // namespace

ServerWorker::ServerWorker(ServerShared& shared, int index, int listener)
    : listener_(listener),
      raw_(net::make_plain_transport(shared.spec.unix_path.empty())),
      tls_(shared.tls ? shared.tls->make_transport() : nullptr),
      kit_{shared.spec,
           loop_,
           tls_ ? *tls_ : *raw_,
           *raw_,
           shared.bodies,
           *shared.board,
           shared.board->worker(index),
           Behaviour(shared.spec, index, shared.station.get()),
           shared.station.get(),
           &shared.sampler} {
  kit_.out.reserve(2 * AnswerSender::kFlushBytes);
  slots_.reserve(kSlotsReserved);
  loop_.add_level(timer_.fd(), kTimerToken);
  loop_.add_level(wakeup_.fd(), kWakeupToken);
  resume_accepting();
}

void ServerWorker::stop() {
  stopping_.store(true, std::memory_order_relaxed);
  wakeup_.notify();
}

void ServerWorker::run() {
  prctl(PR_SET_TIMERSLACK, 1);  // or the kernel may end a sleep 50 µs late
  while (!stopping_.load(std::memory_order_relaxed)) {
    const bool awake = kit_.spec.spin || polling_ || !again_.empty();
    for (const net::Loop::Event& event : loop_.wait(awake ? 0 : net::Loop::kForever)) {
      if (event.token == kTimerToken && !awake) guard_.overslept(base::now_ns() - timer_ns_);
      on_event(event);
    }
    run_again();
    run_wakes();
    free_dying();
  }
  for (Slot& slot : slots_) {
    if (slot.connection) slot.connection->close(kit_);
  }
  slots_.clear();
}

void ServerWorker::on_event(const net::Loop::Event& event) {
  if (event.token == kListenerToken) {
    accept_some();
  } else if (event.token == kWakeupToken) {
    wakeup_.drain();
  } else if (event.token != kTimerToken) {  // run_wakes() sees to the timer
    if (Slot* slot = find(event.token)) {
      settle(*slot, event.token, slot->connection->on_event(event, kit_));
    }
  }
}

void ServerWorker::accept_some() {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    base::UniqueFd fd(accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (fd.valid()) {
      adopt(std::move(fd));
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      pause_accepting();
      return;
    } else if (errno != EINTR && errno != ECONNABORTED) {
      return;
    }
  }
}

void ServerWorker::pause_accepting() {
  if (!accepting_) return;
  loop_.remove(listener_);
  accepting_ = false;
  wakes_.push({base::now_ns() + kAcceptPauseNs, kResumeToken});
}

void ServerWorker::resume_accepting() {
  accepting_ = loop_.add_level(listener_, kListenerToken);
  if (!accepting_) wakes_.push({base::now_ns() + kAcceptPauseNs, kResumeToken});
}

void ServerWorker::adopt(base::UniqueFd fd) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const uint32_t index = free_slots_.back();
  Slot& slot = slots_[index];
  const uint64_t token = uint64_t{slot.generation} << 32 | index;
  if (!loop_.add(fd.get(), token)) return;
  free_slots_.pop_back();
  slot.connection = std::make_unique<ServerConnection>(std::move(fd), token, tls_ != nullptr);
  kit_.stats.accepted.add(1);
}

ServerWorker::Slot* ServerWorker::find(uint64_t token) {
  Slot& slot = slots_[slot_of(token)];
  const bool current = slot.generation == token >> 32 && slot.connection && !slot.dying;
  return current ? &slot : nullptr;
}

void ServerWorker::settle(Slot& slot, uint64_t token, ServerConnection::Verdict verdict) {
  if (verdict == ServerConnection::Verdict::kClose) {
    slot.connection->close(kit_);
    slot.dying = true;
    dying_.push_back(slot_of(token));
    kit_.stats.closed.add(1);
    return;
  }
  if (verdict == ServerConnection::Verdict::kAgain && !slot.queued) {
    slot.queued = true;
    again_.push_back(token);
  }
  const int64_t wake_ns = slot.connection->wake_at_ns();
  if (wake_ns != 0 && (slot.armed_ns == 0 || wake_ns < slot.armed_ns)) {
    slot.armed_ns = wake_ns;
    wakes_.push({wake_ns, token});
  }
}

void ServerWorker::run_again() {
  if (again_.empty()) return;
  std::swap(again_, again_now_);
  for (const uint64_t token : again_now_) {
    Slot* slot = find(token);
    if (slot == nullptr) continue;
    slot->queued = false;
    settle(*slot, token, slot->connection->on_turn(kit_));
  }
  again_now_.clear();
}

void ServerWorker::run_wakes() {
  if (wakes_.empty()) return;
  int64_t now = base::now_ns();
  while (!wakes_.empty()) {
    const Wake wake = wakes_.top();
    if (wake.when_ns > now && wake.when_ns > (now = base::now_ns())) break;
    wakes_.pop();
    if (wake.token == kResumeToken) {
      resume_accepting();
      continue;
    }
    Slot* slot = find(wake.token);
    if (slot == nullptr) continue;
    if (slot->armed_ns == wake.when_ns) slot->armed_ns = 0;
    settle(*slot, wake.token, slot->connection->on_wake(now, kit_));
  }
  plan_next_wake();
}

void ServerWorker::plan_next_wake() {
  if (wakes_.empty()) {
    polling_ = false;
    guard_.stop_polling();
    arm_timer(0);
    return;
  }
  const int64_t next = wakes_.top().when_ns;
  polling_ = guard_.polls(next, base::now_ns());
  if (!polling_) arm_timer(guard_.timer_ns(next));
}

// Setting the timer also takes back its readiness, so it is never read.
void ServerWorker::arm_timer(int64_t when_ns) {
  if (when_ns == timer_ns_) return;
  timer_ns_ = when_ns;
  if (when_ns == 0) {
    timer_.disarm();
  } else {
    timer_.arm_at(when_ns);
  }
}

void ServerWorker::free_dying() {
  for (const uint32_t index : dying_) {
    Slot& slot = slots_[index];
    slot.connection.reset();
    slot.generation++;
    slot.queued = slot.dying = false;
    slot.armed_ns = 0;
    free_slots_.push_back(index);
  }
  dying_.clear();
}

}  // namespace carronade::server
