#include "http/url_reference.h"

#include <algorithm>
#include <string>

namespace carronade::http {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether it begins with a scheme and a colon.
bool has_scheme(std::string_view reference) {
  const size_t end = reference.find_first_of(":/?#");
  if (end == std::string_view::npos || reference[end] != ':') return false;
  return !reference.empty() && is_letter(reference.front());
}

// A path without "." and ".." segments (5.2.4); one that would leave the root stays there.
std::string without_dots(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(0, end);
    path.remove_prefix(end);
    if (segment == "/." || segment == "/..") {
      if (segment == "/..") out.resize(std::min(out.rfind('/'), out.size()));
      if (path.empty()) out += '/';
    } else {
      out += segment;
    }
  }
  return out;
}

// Parts of a text as "path?query"; the query keeps its mark.
struct Parts {
  std::string_view path;
  std::string_view query;
};

Parts cut(std::string_view text) {
  text = text.substr(0, text.find('#'));
  const size_t mark = std::min(text.find('?'), text.size());
  return {text.substr(0, mark), text.substr(mark)};
}

Expected<Url> without_dots(Expected<Url> url) {
  if (!url) return url;
  const std::string target = url->target;
  const Parts parts = cut(target);
  url->target = without_dots(parts.path);
  url->target += parts.query;
  return url;
}

// The path of a reference without a host (5.2.3).
std::string merged(std::string_view base_path, std::string_view path) {
  if (path.empty()) return std::string(base_path);
  if (path.front() == '/') return without_dots(path);
  const std::string folder(base_path.substr(0, base_path.rfind('/') + 1));
  return without_dots(folder + std::string(path));
}

}  // namespace

Expected<Url> resolve_reference(const Url& base, std::string_view reference) {
  if (has_scheme(reference)) return without_dots(parse_url(reference));
  if (reference.starts_with("//")) {
    return without_dots(parse_url((base.tls ? "https:" : "http:") + std::string(reference)));
  }
  const Parts from = cut(base.target);
  const Parts to = cut(reference);
  const bool keeps_query = to.path.empty() && to.query.empty();
  const std::string target =
      merged(from.path, to.path) + std::string(keeps_query ? from.query : to.query);
  Expected<Url> url = parse_url(base.origin() + target);
  if (!url) return url;
  Url whole = base;
  whole.target = url->target;
  return whole;
}

}  // namespace carronade::http
