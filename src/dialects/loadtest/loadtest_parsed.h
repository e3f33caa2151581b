// What a command line means, for the package's own `loadtest` command: there is one grammar.
#pragma once

#include <cstdint>
#include <string>

#include "dialects/loadtest/loadtest_options.h"

namespace carronade::dialects::loadtest {

// One line of JSON: {"options": {names of the API: only what the command line gave},
// "needsJavaScript": …, "defaultCores": …}. `url` is the last word that is no option. `cores`: how
// many a test has when --cores does not say.
std::string parsed_options_text(const LoadtestOptions& options, bool needs_javascript,
                                uint64_t cores);

}  // namespace carronade::dialects::loadtest
