#include "dialects/carronade/har_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "dialects/carronade/json_text.h"

namespace carronade::dialects {
namespace {

// As HTML forms write their fields: a space is '+', all but a few characters are %XX.
std::string form_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("*-._").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

// A body that was recorded as fields only.
Expected<std::string> body_of_params(const Json& post_data, const Json& params) {
  const std::string* type = find_string(post_data, "mimeType");
  if (type == nullptr || !type->starts_with("application/x-www-form-urlencoded")) {
    return unexpected(std::string("its body is not recorded, only the names of the parts"));
  }
  std::string body;
  for (const Json& param : params) {
    const std::string* name = find_string(param, "name");
    const std::string* value = find_string(param, "value");
    if (name == nullptr) return unexpected(std::string("a field of its body has no name"));
    if (!body.empty()) body += '&';
    body += form_encoded(*name) + "=" + (value == nullptr ? "" : form_encoded(*value));
  }
  return body;
}

Expected<std::optional<std::string>> body_of(const Json& request, Form form) {
  const Json* post_data = find_member(request, "postData");
  if (post_data == nullptr) return std::nullopt;
  if (const std::string* text = find_string(*post_data, "text")) return *text;
  const Json* params = find_member(*post_data, "params");
  const bool fields = params != nullptr && params->is_array() && !params->empty();
  if (form == Form::kStrict || !fields) return std::nullopt;
  return body_of_params(*post_data, *params);
}

// "" or what is wrong.
std::string fill_headers(const Json* headers, HarEntry& entry) {
  if (headers == nullptr || !headers->is_array()) {
    return fmt::format("invalid headers array in entry #{}", entry.number);
  }
  size_t number = 0;
  for (const Json& header : *headers) {
    ++number;
    const std::string* name = find_string(header, "name");
    const std::string* value = find_string(header, "value");
    if (name == nullptr || value == nullptr) {
      return fmt::format("invalid name or value in header #{} of entry #{}", number, entry.number);
    }
    entry.request.headers.push_back({*name, *value});
  }
  return "";
}

std::string fill_url(const std::string& text, Form form, HarEntry& entry) {
  const size_t colon = text.find(':');
  const std::string scheme = base::to_lower(text.substr(0, colon));
  if (colon != std::string::npos && base::is_token(scheme) && scheme != "http" &&
      scheme != "https") {
    const bool has_host = text.compare(colon, 3, "://") == 0;
    entry.origin = text.substr(0, has_host ? text.find_first_of("/?#", colon + 3) : colon + 1);
    return "";
  }
  const Expected<Url> url = parse_url(text);
  if (!url) {
    if (form == Form::kStrict) return "Invalid URL";
    return fmt::format("invalid URL in entry #{}: {}", entry.number, url.error().text);
  }
  entry.url = *url;
  entry.origin = (url->tls ? "https://" : "http://") + url->host_header();
  const size_t hash = std::min(text.find('#'), text.size());
  for (const char c : text.substr(hash)) {
    const auto byte = static_cast<unsigned char>(c);
    entry.fragment += byte > 0x20 && byte < 0x7F ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  if (entry.fragment == "#") entry.fragment.clear();
  return "";
}

// "" or what is wrong.
std::string fill_entry(const Json& json, Form form, HarEntry& entry) {
  const Json* request = find_member(json, "request");
  if (request == nullptr || !request->is_object()) {
    return fmt::format("invalid request in entry #{}", entry.number);
  }
  if (std::string why = fill_headers(find_member(*request, "headers"), entry); !why.empty()) {
    return why;
  }
  const std::string* url = find_string(*request, "url");
  const std::string* method = find_string(*request, "method");
  if (form == Form::kPlain && (url == nullptr || method == nullptr)) {
    return fmt::format("entry #{} has no {}", entry.number, url == nullptr ? "url" : "method");
  }
  entry.request.method = method == nullptr ? "undefined" : *method;
  if (std::string why = fill_url(url == nullptr ? "" : *url, form, entry); !why.empty()) {
    return why;
  }
  auto body = body_of(*request, form);
  if (!body) return fmt::format("entry #{}: {}", entry.number, body.error().text);
  entry.has_body = body->has_value();
  if (entry.has_body) entry.request.body = std::move(**body);
  return "";
}

// "" or what is wrong.
std::string fill_entries(const Json& har, Form form, std::vector<HarEntry>& entries) {
  const Json* log = find_member(har, "log");
  const Json* list = log == nullptr ? nullptr : find_member(*log, "entries");
  if (list == nullptr || !list->is_array() || list->empty()) return "no entries found";
  for (const Json& json : *list) {
    HarEntry entry;
    entry.number = entries.size() + 1;
    if (std::string why = fill_entry(json, form, entry); !why.empty()) return why;
    entries.push_back(std::move(entry));
  }
  return "";
}

// Node's words for what went wrong before there was any JSON.
std::string strict_reason(const std::string& path, const std::string& reason) {
  constexpr std::string_view kUnexpected = "unexpected ";
  if (reason == "open " + path + ": " + base::errno_text(ENOENT)) {
    return "ENOENT: no such file or directory, open '" + path + "'";
  }
  if (reason.starts_with(kUnexpected)) {
    return "Unexpected token " + reason.substr(kUnexpected.size());
  }
  return reason == "it ends too early" || reason == "it is empty" ? "Unexpected end of JSON input"
                                                                  : reason;
}

tl::unexpected<Error> har_error(const std::string& path, const std::string& reason, Form form) {
  return unexpected(form == Form::kStrict ? "Error: Failed to load HAR file content: " + reason
                                          : "--har " + path + ": " + reason);
}

}  // namespace

Expected<std::vector<HarEntry>> parse_har(std::string_view text, const std::string& path,
                                          Form form) {
  const Expected<Json> json = parse_json(text);
  if (!json && form == Form::kStrict) {
    return har_error(path, strict_reason(path, json.error().text), form);
  }
  if (!json) return har_error(path, "it is no JSON: " + json.error().text, form);
  std::vector<HarEntry> entries;
  const std::string why = fill_entries(*json, form, entries);
  if (why.empty()) return entries;
  return har_error(path, form == Form::kStrict ? "Could not parse HAR content: " + why : why, form);
}

Expected<std::vector<HarEntry>> read_har(const std::string& path, Form form) {
  const Expected<std::string> text = base::read_file(path);
  if (text) return parse_har(*text, path, form);
  if (form == Form::kPlain) return unexpected("--har: " + text.error().text);
  return har_error(path, strict_reason(path, text.error().text), form);
}

}  // namespace carronade::dialects
