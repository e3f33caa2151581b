#include "run/observing.h"

namespace carronade::run {

void Observing::tell_setup(const std::vector<ErrorCount>& errors) {
  if (observer_ == nullptr) return;
  for (const ErrorCount& error : errors) observer_->on_errors(error);
}

void Observing::tell(const std::vector<std::unique_ptr<load::Worker>>& workers,
                     int64_t elapsed_ns) {
  if (observer_ == nullptr) return;
  Progress progress;
  progress.elapsed_ns = elapsed_ns;
  for (const auto& worker : workers) {
    const load::WorkerProgress::Counters counters = worker->progress().counters();
    progress.sent += counters.sent;
    progress.answered += counters.answered;
    progress.errors += counters.errors;
    progress.bytes_received += counters.bytes_received;
    progress.connections += counters.open;
    const load::WorkerProgress::Mail mail = worker->progress().take_mail();
    for (const ErrorCount& fresh : mail.fresh_errors) observer_->on_errors(fresh);
    if (mail.exchange) observer_->on_exchange(mail.exchange->request, mail.exchange->response);
  }
  observer_->on_progress(progress);
}

}  // namespace carronade::run
