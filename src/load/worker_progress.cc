#include "load/worker_progress.h"

namespace carronade::load {

void WorkerProgress::publish(WorkerState& worker) {
  const stats::Recorder::Totals& totals = worker.recorder.totals();
  constexpr auto kRelaxed = std::memory_order_relaxed;
  snapshot_.sent.store(totals.sent, kRelaxed);
  snapshot_.answered.store(totals.answered, kRelaxed);
  snapshot_.errors.store(totals.errors, kRelaxed);
  snapshot_.bytes_received.store(totals.bytes_received, kRelaxed);
  snapshot_.open.store(totals.open, kRelaxed);

  const std::vector<ErrorCount>& errors = worker.recorder.errors();
  errors_told_.resize(errors.size(), 0);
  for (size_t i = 0; i < errors.size(); ++i) {
    const uint64_t growth = errors[i].count - errors_told_[i];
    if (growth == 0) continue;
    errors_told_[i] = errors[i].count;
    const std::lock_guard lock(mutex_);
    add_fresh(errors[i], growth);
  }
  if (worker.capture && worker.capture->complete && !exchange_told_) {
    exchange_told_ = true;
    const std::lock_guard lock(mutex_);
    mail_.exchange = *worker.capture;
  }
}

// A row for each error, however long nobody takes the mail.
void WorkerProgress::add_fresh(const ErrorCount& error, uint64_t growth) {
  for (ErrorCount& fresh : mail_.fresh_errors) {
    if (fresh.kind == error.kind && fresh.phase == error.phase && fresh.text == error.text) {
      fresh.count += growth;
      return;
    }
  }
  mail_.fresh_errors.push_back(error);
  mail_.fresh_errors.back().count = growth;
}

WorkerProgress::Counters WorkerProgress::counters() const {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  return {.sent = snapshot_.sent.load(kRelaxed),
          .answered = snapshot_.answered.load(kRelaxed),
          .errors = snapshot_.errors.load(kRelaxed),
          .bytes_received = snapshot_.bytes_received.load(kRelaxed),
          .open = snapshot_.open.load(kRelaxed)};
}

WorkerProgress::Mail WorkerProgress::take_mail() {
  const std::lock_guard lock(mutex_);
  return std::exchange(mail_, Mail{});
}

}  // namespace carronade::load
