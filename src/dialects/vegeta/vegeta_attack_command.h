// `vegeta attack`.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cli/flag_table.h"

namespace carronade::dialects::vegeta {

// `args` without the words "vegeta attack". `cpus` of the global flags; 0: not said. The exit
// code: 0, 1 after an error, 2 after a wrong flag. From the main thread, which must have no others.
int attack_command(std::span<const std::string> args, int64_t cpus);

}  // namespace carronade::dialects::vegeta
