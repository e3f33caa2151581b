// What ab says on standard error while a run goes on.
#pragma once

#include <cstdint>
#include <string>

#include "carronade/observer.h"
#include "dialects/ab/ab_options.h"

namespace carronade::dialects::ab {

// The lines "Completed N requests": one for each multiple of a tenth of the requests, at least
// 100. None for 150 requests or fewer, nor with -q.
class AbHeartbeat {
 public:
  AbHeartbeat(uint64_t requests, bool wanted);

  bool beats() const { return step_ > 0; }
  // Those that are due when so many are complete, "" for none.
  std::string lines(uint64_t complete);

 private:
  uint64_t step_ = 0;
  uint64_t next_ = 0;
};

// One kind of error as ab tells it, with its line ends: TLS errors always, those of sockets with
// -v 1. "" when it is not told.
std::string error_lines(const ErrorCount& fresh, int verbosity);

// What is said of requests that were sent again on another connection; "" for none.
std::string retry_note(uint64_t retried);

class AbProgress : public Observer {
 public:
  explicit AbProgress(const AbOptions& options)
      : heartbeat_(options.requests, options.progress), verbosity_(options.verbosity) {}

  void on_progress(const Progress& progress) override;
  void on_errors(const ErrorCount& fresh) override;
  // When the run has ended: the lines that are still due.
  void finish(uint64_t complete);
  bool beats() const { return heartbeat_.beats(); }

 private:
  AbHeartbeat heartbeat_;
  int verbosity_;
};

}  // namespace carronade::dialects::ab
