// --on-port: a program that is started for the run, until it listens on a TCP port; the URLs that
// are paths go there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carronade/expected.h"
#include "cli/child_process.h"
#include "cli/flags.h"
#include "cli/stop_signals.h"
#include "dialects/carronade/carronade_flags.h"

namespace carronade::dialects {

// The words after `--`, if they are to be started: with --on-port, or when the first one is
// `node`. Empty when nothing is to be started. Errors: words without --on-port, and the other way
// round.
Expected<std::vector<std::string>> program_to_start(const Options& o,
                                                    const cli::Operands& operands);

class OnPort {
 public:
  static constexpr int64_t kListenWithin = 30'000'000'000;

  // Starts the program and waits until it listens, at most `listen_within_ns` (kListenWithin when
  // not given). Errors: it cannot be started, has ended, does not listen in time, or a signal has
  // come; it is stopped then.
  static Expected<std::unique_ptr<OnPort>> start(
      const std::vector<std::string>& words, cli::StopSignals& signals,
      std::optional<int64_t> listen_within_ns = std::nullopt,
      int64_t kill_after_ns = cli::ChildProcess::kKillAfter);

  // In decimal. Of several that were found at once, the lowest.
  const std::string& port() const { return port_; }
  // Which one was taken when there were several; "" otherwise.
  const std::string& note() const { return note_; }
  // One line when the program has ended by itself: nothing of it is left, or, where nothing answers
  // any more, its first process has ended. "" otherwise.
  std::string death(bool still_answers);
  // Ends the program, if it runs still; a signal meanwhile does no more than shorten the time that
  // it is given. What there is to be said of its end and was not by death(), one line; "" when it
  // was still there and ended as it was told to.
  std::string stop(cli::StopSignals& signals);

 private:
  OnPort(std::string name, std::unique_ptr<cli::ChildProcess> child)
      : name_(std::move(name)), child_(std::move(child)) {}
  Expected<void> wait(const cli::StopSignals& signals, int64_t listen_within_ns);

  std::string name_;  // its words
  std::unique_ptr<cli::ChildProcess> child_;
  std::string port_;
  std::string note_;
  bool death_told_ = false;
};

}  // namespace carronade::dialects
