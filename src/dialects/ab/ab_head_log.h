// What -v 2 and 3 print of each answer: its head, a warning when its status is not 2xx, its
// status. The workers push heads; a thread of its own prints them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/record_queue.h"
#include "cli/record_writer.h"

namespace carronade::dialects::ab {

// As ab prints it, with its line ends.
std::string head_log_lines(std::string_view head, int verbosity);

class AbHeadLog {
 public:
  // Before the workers start and after StopSignals is there.
  AbHeadLog(uint32_t workers, int verbosity);

  cli::RecordQueue& queue(uint32_t worker) { return writer_.queue(worker); }
  // When the workers have ended: what could not be printed, in words; "" for nothing.
  std::string finish();

 private:
  std::string text_;  // the writer's thread
  cli::RecordWriter writer_;
};

}  // namespace carronade::dialects::ab
