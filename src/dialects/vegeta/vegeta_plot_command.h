// `vegeta plot`.
#pragma once

#include <span>
#include <string>

namespace carronade::dialects::vegeta {

// `args` without the words "vegeta plot". The exit code: 0, 1 after an error, 2 after a wrong
// flag. From the main thread, which must have no others.
int plot_command(std::span<const std::string> args);

}  // namespace carronade::dialects::vegeta
