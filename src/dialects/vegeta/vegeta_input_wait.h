// What happens while a command reads results: Ctrl-C, something to do at intervals, and something
// to do when nothing is there to be read for the moment.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/unique_fd.h"
#include "cli/stop_signals.h"

namespace carronade::dialects::vegeta {

class InputWait {
 public:
  // From the main thread, before other threads start.
  InputWait();

  // What they call returns false when it has failed for good: that ends the reading.
  void every(int64_t interval_ns, std::function<bool()> tick);
  void when_idle(std::function<bool()> idle) { idle_ = std::move(idle); }

  // After the first signal a pipe is read for one second more or to its end: the attack that the
  // same Ctrl-C stops writes its last results then. A second signal cuts that short.
  static constexpr int64_t kGraceNs = 1'000'000'000;

  // Before a read of `fd`: waits until there is something to read, and does meanwhile what is due.
  // False: enough has been read.
  bool before_read(int fd);
  // The same between two results, without waiting.
  bool between_results();

  // A signal has ended the reading before the end of the input.
  bool cut_short() const { return cut_short_; }

 private:
  bool stopped();
  bool tick_when_due();
  int poll_ms() const;

  cli::StopSignals signals_;
  std::optional<cli::StopSignals::Hold> hold_;  // from the first signal to the end of reading
  base::UniqueFd wake_;
  cli::StopSignals::Watch watch_;
  std::function<bool()> tick_;
  std::function<bool()> idle_;
  int64_t interval_ns_ = 0;
  int64_t next_tick_ns_ = 0;
  bool failed_ = false;
  bool cut_short_ = false;
  bool from_pipe_ = false;
  std::optional<int64_t> stop_ns_;  // when to stop after the first signal
};

}  // namespace carronade::dialects::vegeta
