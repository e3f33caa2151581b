// `vegeta report`.
#pragma once

#include <span>
#include <string>

namespace carronade::dialects::vegeta {

// `args` without the words "vegeta report". The exit code: 0, 1 after an error, 2 after a wrong
// flag. From the main thread, which must have no others.
int report_command(std::span<const std::string> args);

}  // namespace carronade::dialects::vegeta
