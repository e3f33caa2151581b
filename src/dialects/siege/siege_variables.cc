#include "dialects/siege/siege_variables.h"

#include <algorithm>
#include <cstdlib>

namespace carronade::dialects::siege {
namespace {

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string value_of(std::string_view name, const Variables& variables) {
  if (const auto found = variables.find(name); found != variables.end()) return found->second;
  const char* const value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::string() : value;
}

// The name of a reference without its dollar, taken off `text`; "" when it is none.
std::string_view take_name(std::string_view& text) {
  std::string_view name;
  const bool round = text.starts_with('(');
  if (round || text.starts_with('{')) {
    const size_t end = text.find(round ? ')' : '}');
    if (end == std::string_view::npos) return {};
    name = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return name;
  }
  const auto end = std::find_if_not(text.begin(), text.end(), is_name_byte);
  name = text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(name.size());
  return name;
}

}  // namespace

std::string expand(std::string_view text, const Variables& variables) {
  std::string result;
  while (!text.empty()) {
    if (text.starts_with("\\$")) {
      result += '$';
      text.remove_prefix(2);
      continue;
    }
    const char c = text[0];
    text.remove_prefix(1);
    const std::string_view name = c == '$' ? take_name(text) : std::string_view();
    if (name.empty()) {
      result += c;
    } else {
      result += value_of(name, variables);
    }
  }
  return result;
}

}  // namespace carronade::dialects::siege
