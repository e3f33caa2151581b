// The header fields of a head as it was received (Response::head): status line first, then one
// line a field, with their line ends. For sources and reports; the parser proper is h1_parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace carronade::http {

struct Field {
  std::string_view name;   // in the sender's case
  std::string_view value;  // without the white space around it
};

// Walks over the fields of a head or of trailers:
//   for (FieldCursor cursor(head); const auto field = cursor.next();) …
class FieldCursor {
 public:
  explicit FieldCursor(std::string_view head);
  std::optional<Field> next();

 private:
  std::string_view rest_;
};

// The value of the first field with this name, in any letter case; nullopt when there is none.
std::optional<std::string_view> find_field(std::string_view head, std::string_view name);

// "HTTP/1.1 200 OK" of a head, without its line end.
std::string_view status_line(std::string_view head);

// The three digits behind "HTTP/1.x "; 0 when the line is no such status line.
uint16_t status_of(std::string_view status_line);

// How long the head at the beginning of `bytes` is, the empty line behind it included; 0: it is not
// whole. Lines may end with a bare LF (RFC 9112 2.2). No empty line ends before `from`.
size_t head_end(std::string_view bytes, size_t from = 0);

}  // namespace carronade::http
