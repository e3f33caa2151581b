#include "http/head_fields.h"

#include "base/text.h"

namespace carronade::http {
namespace {

// Takes the first line off, without its line end.
std::string_view take_line(std::string_view& rest) {
  const size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

FieldCursor::FieldCursor(std::string_view head) : rest_(head) {
  if (head.starts_with("HTTP/")) take_line(rest_);
}

std::optional<Field> FieldCursor::next() {
  while (!rest_.empty()) {
    const std::string_view line = take_line(rest_);
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    return Field{line.substr(0, colon), base::trim(line.substr(colon + 1))};
  }
  return std::nullopt;
}

std::optional<std::string_view> find_field(std::string_view head, std::string_view name) {
  for (FieldCursor cursor(head); const auto field = cursor.next();) {
    if (base::iequals(field->name, name)) return field->value;
  }
  return std::nullopt;
}

std::string_view status_line(std::string_view head) { return take_line(head); }

}  // namespace carronade::http
