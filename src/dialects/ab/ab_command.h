// carronade ab: the command line, reports and exit codes of ApacheBench on carronade's engine.
#pragma once

#include <span>
#include <string>

namespace carronade::dialects::ab {

// `args` without the program's name. The exit code: 0, 1 (Ctrl-C, bad arguments, a report that
// could not be written), 22 (usage), or the low byte of the status that ended the run.
int ab_command(std::span<const std::string> args);

}  // namespace carronade::dialects::ab
