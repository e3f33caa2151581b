#include "dialects/carronade/json_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace carronade::dialects {
namespace {

// `offset` is that of the byte that does not fit.
std::string describe_fault(std::string_view text, size_t offset) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "it is empty";
  if (offset >= text.size()) return "it ends too early";
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t column = offset - (before.rfind('\n') + 1) + 1;
  return fmt::format("unexpected '{}' in line {}, column {}",
                     base::printable(text.substr(offset, 1)), line, column);
}

}  // namespace

Expected<Json> parse_json(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& fault) {
    return unexpected(describe_fault(text, fault.byte > 0 ? fault.byte - 1 : 0));
  } catch (const Json::exception&) {
    return unexpected(std::string("a number is out of range"));
  }
}

const Json* find_member(const Json& value, const char* name) {
  if (!value.is_object()) return nullptr;
  const auto at = value.find(name);
  return at == value.end() ? nullptr : &*at;
}

const std::string* find_string(const Json& value, const char* name) {
  const Json* member = find_member(value, name);
  return member == nullptr ? nullptr : member->get_ptr<const std::string*>();
}

}  // namespace carronade::dialects
