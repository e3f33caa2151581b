#include "http/head_fields.h"

#include <charconv>
#include <system_error>

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

uint16_t status_of(std::string_view status_line) {
  constexpr std::string_view kVersion = "HTTP/1.";
  constexpr size_t kDigits = 3;
  const size_t begin = kVersion.size() + 2;  // the minor version and a space
  if (!status_line.starts_with(kVersion) || status_line.size() < begin + kDigits) return 0;
  if (status_line[begin - 1] != ' ') return 0;
  const std::string_view rest = status_line.substr(begin);
  if (rest.size() > kDigits && rest[kDigits] != ' ') return 0;
  uint16_t status = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + kDigits, status);
  return error == std::errc() && end == rest.data() + kDigits ? status : uint16_t{0};
}

size_t head_end(std::string_view bytes, size_t from) {
  for (size_t at = bytes.find('\n', from); at != std::string_view::npos;
       at = bytes.find('\n', at + 1)) {
    const std::string_view behind = bytes.substr(at + 1);
    if (behind.starts_with('\n')) return at + 2;
    if (behind.starts_with("\r\n")) return at + 3;
  }
  return 0;
}

}  // namespace carronade::http
