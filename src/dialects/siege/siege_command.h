// `carronade siege …`: siege's command line, files and reports.
#pragma once

#include <span>
#include <string>

namespace carronade::dialects::siege {

// `args` without the program's name; the exit code. From the main thread, which must have no
// others.
int siege_command(std::span<const std::string> args);

}  // namespace carronade::dialects::siege
