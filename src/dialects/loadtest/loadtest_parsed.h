// What a command line means, for the package's own `loadtest` command: there is one grammar.
#pragma once

#include <string>

#include "dialects/loadtest/loadtest_options.h"

namespace carronade::dialects::loadtest {

// One line of JSON: {"options": {names of the API: only what the command line gave},
// "needsJavaScript": …}. `url` is the last word that is no option.
std::string parsed_options_text(const LoadtestOptions& options, bool needs_javascript);

}  // namespace carronade::dialects::loadtest
