// Bodies of the media type multipart/form-data (RFC 7578), as browsers send forms.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carronade::http {

struct FormPart {
  std::string name;
  std::optional<std::string> file_name;  // unset: a field, not a file
  std::string content_type;              // "" for none, as fields have
  std::string content;                   // byte for byte
};

// A new one with each call, from the system's random numbers: 26 dashes and 24 hexadecimal digits.
std::string multipart_boundary();

// The value of the Content-Type header that goes with it.
std::string multipart_type(std::string_view boundary);

// The parts in their order. In names, `"`, CR and LF are written as %22, %0D and %0A, so that
// none can end its line.
std::string multipart_body(const std::vector<FormPart>& parts, std::string_view boundary);

// By the extension of a path; "application/octet-stream" for one that is not known.
std::string_view media_type_of(std::string_view path);

}  // namespace carronade::http
