#include "http/multipart.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/text.h"

namespace carronade::http {

namespace {

using Extension = std::pair<std::string_view, std::string_view>;

// What people upload, by the names that IANA lists; sorted.
constexpr Extension kMediaTypes[] = {
    {"avif", "image/avif"},
    {"bmp", "image/bmp"},
    {"css", "text/css"},
    {"csv", "text/csv"},
    {"doc", "application/msword"},
    {"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    {"eml", "message/rfc822"},
    {"epub", "application/epub+zip"},
    {"gif", "image/gif"},
    {"gz", "application/gzip"},
    {"htm", "text/html"},
    {"html", "text/html"},
    {"ico", "image/vnd.microsoft.icon"},
    {"ics", "text/calendar"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript"},
    {"json", "application/json"},
    {"jsonld", "application/ld+json"},
    {"m4a", "audio/mp4"},
    {"md", "text/markdown"},
    {"mjs", "text/javascript"},
    {"mov", "video/quicktime"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"mpeg", "video/mpeg"},
    {"odt", "application/vnd.oasis.opendocument.text"},
    {"ogg", "audio/ogg"},
    {"otf", "font/otf"},
    {"pdf", "application/pdf"},
    {"png", "image/png"},
    {"ppt", "application/vnd.ms-powerpoint"},
    {"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    {"rtf", "application/rtf"},
    {"svg", "image/svg+xml"},
    {"tar", "application/x-tar"},
    {"tif", "image/tiff"},
    {"tiff", "image/tiff"},
    {"ttf", "font/ttf"},
    {"txt", "text/plain"},
    {"wasm", "application/wasm"},
    {"wav", "audio/wav"},
    {"webm", "video/webm"},
    {"webp", "image/webp"},
    {"woff", "font/woff"},
    {"woff2", "font/woff2"},
    {"xls", "application/vnd.ms-excel"},
    {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {"xml", "application/xml"},
    {"yaml", "text/yaml"},
    {"yml", "text/yaml"},
    {"zip", "application/zip"},
};
static_assert(std::is_sorted(std::begin(kMediaTypes), std::end(kMediaTypes)));

std::string quoted_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') {
      out += "%22";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

std::string multipart_boundary() {
  std::array<unsigned char, 12> bytes{};
  CHECK(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  std::string out(26, '-');
  for (const unsigned char byte : bytes) fmt::format_to(std::back_inserter(out), "{:02x}", byte);
  return out;
}

std::string multipart_type(std::string_view boundary) {
  return "multipart/form-data; boundary=" + std::string(boundary);
}

std::string multipart_body(const std::vector<FormPart>& parts, std::string_view boundary) {
  std::string out;
  for (const FormPart& part : parts) {
    out.append("--").append(boundary).append("\r\nContent-Disposition: form-data; name=");
    out += quoted_name(part.name);
    if (part.file_name) out += "; filename=" + quoted_name(*part.file_name);
    if (!part.content_type.empty()) out.append("\r\nContent-Type: ").append(part.content_type);
    out.append("\r\n\r\n").append(part.content).append("\r\n");
  }
  out.append("--").append(boundary).append("--\r\n");
  return out;
}

std::string_view media_type_of(std::string_view path) {
  constexpr std::string_view kUnknown = "application/octet-stream";
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return kUnknown;
  const std::string extension = base::to_lower(name.substr(dot + 1));
  const auto* const at =
      std::lower_bound(std::begin(kMediaTypes), std::end(kMediaTypes), extension,
                       [](const Extension& row, std::string_view key) { return row.first < key; });
  return at != std::end(kMediaTypes) && at->first == extension ? at->second : kUnknown;
}

}  // namespace carronade::http
