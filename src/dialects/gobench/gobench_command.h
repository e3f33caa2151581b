// `carronade gobench …`: gobench's command line and report on carronade's engine.
#pragma once

#include <span>
#include <string>

namespace carronade::dialects::gobench {

// `args` without the program's name. The exit code: 0 after any run, 1 for options that do not fit
// together and files, 2 for the command line; 1 as well when the report could not be written.
int gobench_command(std::span<const std::string> args);

}  // namespace carronade::dialects::gobench
