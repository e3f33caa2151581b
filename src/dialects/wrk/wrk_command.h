// `carronade wrk` and `carronade wrk2`: the command lines, scripts and reports of these tools.
#pragma once

#include <span>
#include <string>

namespace carronade::dialects::wrk {

// `args` without the program's name; the exit code. From the main thread, before others start.
int wrk_command(std::span<const std::string> args);
int wrk2_command(std::span<const std::string> args);

}  // namespace carronade::dialects::wrk
