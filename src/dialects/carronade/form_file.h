// --form: a description of form fields in JSON as a multipart/form-data body.
#pragma once

#include <string>

#include "dialects/carronade/carronade_request.h"
#include "dialects/carronade/spec_error.h"

namespace carronade::dialects {

struct FormBody {
  std::string content_type;  // with the boundary
  std::string bytes;
};

// `argument` is JSON, or the path of a file with it, as autocannon reads it:
//   {"a": {"type": "text", "value": "v"},
//    "b": {"type": "file", "path": "p", "options": {"filename", "filepath", "contentType"}}}
// Reads the files that it names. The errors begin with autocannon's words.
tl::expected<FormBody, SpecError> read_form(const std::string& argument, Form form);

}  // namespace carronade::dialects
