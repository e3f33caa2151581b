// `carronade vegeta …`: vegeta's command line. Global flags, then one of its commands.
#pragma once

#include <span>
#include <string>

namespace carronade::dialects::vegeta {

// `args` without the program's name. The exit code: 0, 1 after an error, 2 after a wrong flag.
int vegeta_command(std::span<const std::string> args);

}  // namespace carronade::dialects::vegeta
