// `carronade loadtest …`: loadtest's command line and report on carronade's engine.
#pragma once

#include <span>
#include <string>

namespace carronade::dialects::loadtest {

// `args` without the program's name. The exit code: 0 after any run, 1 for a command line without
// a URL and for files, 255 for options that are not known; 1 as well when the report could not be
// written, and 128 + its number after a signal, which ends the run with the report.
// `--parsed-options` as the first word: prints what the others mean (loadtest_parsed.h), sends
// nothing.
int loadtest_command(std::span<const std::string> args);

}  // namespace carronade::dialects::loadtest
