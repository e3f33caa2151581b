// A program that this one starts and ends: standard input is /dev/null, output and errors go where
// ours go, and it is in a process group of its own, so that Ctrl-C on the terminal reaches us and
// we decide. Nothing of it outlives this process, whatever ends that (child_keeper.h).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "carronade/expected.h"

namespace carronade::cli {

class ChildProcess {
 public:
  static constexpr int64_t kKillAfter = 5'000'000'000;

  // `words`: the program, looked for in PATH, and its arguments; at least one. `kill_after_ns` is
  // how long stop() waits before it uses force. The error names the program and the reason.
  static Expected<std::unique_ptr<ChildProcess>> start(std::vector<std::string> words,
                                                       int64_t kill_after_ns = kKillAfter);
  // stop() if that has not been called.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The process that all processes of the program are below, also those whose parent has ended.
  pid_t root() const { return keeper_; }

  // Waits until no process of the program is left, at most `timeout_ns`. Whether that is so.
  bool wait_end(int64_t timeout_ns);
  // SIGINT to its process group, SIGKILL to what is left after the time given; returns when
  // nothing of it is left, or when what is left cannot be killed. Later calls do nothing.
  void stop();
  // The first half of stop(): returns at once, wait_end() tells the rest.
  void ask_to_stop();
  // SIGKILL to all of it, whatever it has been asked before; returns at once.
  void kill();

  // "exit code 3", "signal 11"; "" as long as the program itself has not ended, as far as
  // wait_end() and stop() have seen.
  std::string how_it_ended() const;
  bool killed() const { return killed_; }       // force had to be used
  int32_t left_count() const { return left_; }  // processes that stop() had to leave running

 private:
  ChildProcess(pid_t keeper, base::UniqueFd channel)
      : keeper_(keeper), channel_(std::move(channel)) {}
  void order(char word);

  pid_t keeper_;
  base::UniqueFd channel_;  // to the keeper; closed when its end was seen
  std::optional<int> status_;
  bool killed_ = false;
  int32_t left_ = 0;
};

}  // namespace carronade::cli
