// Where loadtest's configuration stands, and what the files say together.
#pragma once

#include <string>

#include "carronade/expected.h"
#include "dialects/loadtest/loadtest_config_text.h"

namespace carronade::dialects::loadtest {

struct FoundConfig {
  std::string file;               // "": there is none
  bool needs_javascript = false;  // the file, or one it leads to, is a module
  ConfigValue value;              // an object, with all that it extends; or null
};

// See find_loadtest_config().
Expected<FoundConfig> find_config_files(const std::string& folder, const std::string& home);

}  // namespace carronade::dialects::loadtest
