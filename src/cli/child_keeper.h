// The process between this one and a program that it started. It starts the program, is the parent
// of every process of it whose own parent has ended, ends them all on demand, and does so as well
// when the process that it serves has ended in whatever way: the system closes the channel then.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace carronade::cli {

// What the keeper says, in this order; the end of the channel says that nothing is left to keep.
struct KeeperReport {
  enum Kind : int32_t {
    kNotStarted,  // value: an errno
    kStarted,     // the program runs
    kEnded,       // the program has ended; value: its wait status
    kKilled,      // it did not end in time, SIGKILL went to what was left
    kLeft,        // that helped not either; value: how many processes remain
  };
  int32_t kind;
  int32_t value;
};

enum class KeeperOrder : char {
  kStop = 's',  // by SIGINT, and by SIGKILL after the time given
  kKill = 'k',  // by SIGKILL at once
};

struct KeeperTask {
  std::vector<std::string> words;  // the program, looked for in PATH, and its arguments
  int64_t kill_after_ns;           // from the order to stop to SIGKILL
  // One end of a pair of sockets: each KeeperReport is a message to it, each KeeperOrder one from
  // it. Its end orders SIGKILL at once.
  int channel;
};

// The life of the keeper, from the fork() on. Other threads must not be in need of locks that the
// fork() left shut: those of malloc are no concern.
[[noreturn]] void keep_child(const KeeperTask& task);

}  // namespace carronade::cli
