// JSON that people hand in: forms and HAR files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade::dialects {

// Objects keep the order of their members.
using Json = nlohmann::ordered_json;

// The error says what stands where: "unexpected '}' in line 3, column 5" or "it ends too early".
Expected<Json> parse_json(std::string_view text);

// The member of an object, nullptr where there is none or `value` is no object.
const Json* find_member(const Json& value, const char* name);
// The same for a member that is a string.
const std::string* find_string(const Json& value, const char* name);

}  // namespace carronade::dialects
