// `carronade [options] URL…` and the strict `carronade autocannon …`: the words of the command
// line in, the exit code out (cli/exit_codes.h). Writes to the standard streams.
#pragma once

#include <span>
#include <string>

#include "dialects/carronade/carronade_request.h"

namespace carronade::dialects {

// `args` without the program's name. From the main thread, which must have no others.
int carronade_command(std::span<const std::string> args, Form form);

}  // namespace carronade::dialects
