// siege's configuration file: `key = value` lines, variables, comments.
#pragma once

#include <string>
#include <string_view>

#include "carronade/expected.h"
#include "dialects/siege/siege_settings.h"

namespace carronade::dialects::siege {

// Applies the lines of a configuration file to the settings. Unknown keys are variables. A number
// that cannot be read is an error that names `path` and the line.
Expected<void> apply_config(std::string_view text, const std::string& path,
                            SiegeSettings& settings);

// What siege's own template has: the settings of somebody who has no configuration file, for whom
// siege would have written one.
std::string_view config_template();

// Which file is read: `chosen` (-R), $SIEGERC, $HOME/.siege/siege.conf, $HOME/.siegerc; the latter
// two only where they exist. "" for none.
std::string config_path(const std::string& chosen);

// Reads that file, or the template. The error is what siege prints when it cannot open its file.
Expected<void> load_config(const std::string& chosen, SiegeSettings& settings);

}  // namespace carronade::dialects::siege
