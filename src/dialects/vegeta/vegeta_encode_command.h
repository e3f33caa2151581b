// `vegeta encode` and `vegeta dump`.
#pragma once

#include <span>
#include <string>

namespace carronade::dialects::vegeta {

// `args` without the words "vegeta encode". The exit code: 0, 1 after an error, 2 after a wrong
// flag. From the main thread, which must have no others.
int encode_command(std::span<const std::string> args);
// Says that encode has taken its place; 1.
int dump_command(std::span<const std::string> args);

}  // namespace carronade::dialects::vegeta
