// Configuration files as values: JSON and YAML in, one tree out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade::dialects::loadtest {

// Keys keep their order.
using ConfigValue = nlohmann::ordered_json;

// `name` is the file's in errors, which are one line with the line number where it is known.
Expected<ConfigValue> read_json_config(std::string_view text, const std::string& name);
// YAML, of which JSON is a part: the core schema of YAML 1.2, no merge keys. Null for an empty
// file; nested more than 100 deep is an error.
Expected<ConfigValue> read_yaml_config(const std::string& text, const std::string& name);

}  // namespace carronade::dialects::loadtest
