#include "dialects/carronade/form_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "base/text.h"
#include "dialects/carronade/json_text.h"
#include "http/multipart.h"

namespace carronade::dialects {
namespace {

// autocannon gives no reasons.
tl::unexpected<SpecError> form_fault(std::string text, std::string_view reason, Form form) {
  if (form == Form::kPlain && !reason.empty()) text.append(": ").append(reason);
  return refusal(std::move(text));
}

tl::expected<Json, SpecError> read_description(const std::string& argument, Form form) {
  constexpr const char* kInvalid = "Invalid JSON or file where to get form data";
  Expected<Json> inlined = parse_json(argument);
  std::string reason;
  if (!inlined && base::trim(argument).starts_with('{')) {
    reason = inlined.error().text;
  } else if (!inlined) {
    const Expected<std::string> content = base::read_file(argument);
    if (!content) return form_fault(kInvalid, content.error().text, form);
    inlined = parse_json(*content);
    if (!inlined) reason = argument + ": " + inlined.error().text;
  }
  if (!inlined) return form_fault(kInvalid, reason, form);
  if (!inlined->is_object()) return form_fault(kInvalid, "it is no JSON object", form);
  return std::move(*inlined);
}

std::string file_name_of(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

// A content type goes into a header of its part as it stands.
bool fits_in_header(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

SpecResult fill_file(const std::string& key, const Json& field, http::FormPart& part) {
  const std::string* path = find_string(field, "path");
  if (path == nullptr || path->empty()) {
    return refusal(fmt::format("Missing key 'path' in form object for key '{}'", key));
  }
  Expected<std::string> content = base::read_file(*path);
  if (!content) {
    return refusal(fmt::format("form object for key '{}': {}", key, content.error().text));
  }
  part.content = std::move(*content);
  part.file_name = file_name_of(*path);
  std::string named = *part.file_name;  // what the type is guessed from
  const Json* options = find_member(field, "options");
  if (options != nullptr) {
    if (const std::string* name = find_string(*options, "filename"); name && !name->empty()) {
      part.file_name = file_name_of(*name);
      named = *name;
    }
    if (const std::string* whole = find_string(*options, "filepath"); whole && !whole->empty()) {
      part.file_name = std::filesystem::path(*whole).lexically_normal().string();
      named = *whole;
    }
    if (const std::string* type = find_string(*options, "contentType")) part.content_type = *type;
  }
  if (part.content_type.empty()) part.content_type = http::media_type_of(named);
  if (fits_in_header(part.content_type)) return {};
  return fault(fmt::format("form object for key '{}': contentType holds a line break", key));
}

SpecResult fill_text(const std::string& key, const Json& field, Form form, http::FormPart& part) {
  const Json* value = find_member(field, "value");
  const bool text = value != nullptr && value->is_string();
  const bool number = value != nullptr && (value->is_number() || value->is_boolean());
  if (text) part.content = value->get<std::string>();
  if (number) part.content = value->dump();
  // What JavaScript takes for false counts as missing there. An empty field is a field.
  const bool falsy = text ? part.content.empty() : part.content == "0" || part.content == "false";
  if ((!text && !number) || (form == Form::kStrict && falsy)) {
    return refusal(fmt::format("Missing key 'value' in form object for key '{}'", key));
  }
  return {};
}

}  // namespace

tl::expected<FormBody, SpecError> read_form(const std::string& argument, Form form) {
  const auto description = read_description(argument, form);
  if (!description) return tl::unexpected(description.error());
  std::vector<http::FormPart> parts;
  for (const auto& [key, field] : description->items()) {
    const std::string* type = find_string(field, "type");
    http::FormPart part;
    part.name = key;
    SpecResult done;
    if (type != nullptr && *type == "file") {
      done = fill_file(key, field, part);
    } else if (type != nullptr && *type == "text") {
      done = fill_text(key, field, form, part);
    } else {
      return form_fault("A 'type' key with value 'text' or 'file' should be specified",
                        fmt::format("key '{}' has none", key), form);
    }
    if (!done) return tl::unexpected(done.error());
    parts.push_back(std::move(part));
  }
  const std::string boundary = http::multipart_boundary();
  return FormBody{http::multipart_type(boundary), http::multipart_body(parts, boundary)};
}

}  // namespace carronade::dialects
