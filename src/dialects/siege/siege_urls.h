// URLs as siege writes them on its command line and in urls.txt: `[scheme://]host[/path] [POST
// data]`, variables, comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "carronade/url.h"
#include "dialects/siege/siege_settings.h"

namespace carronade::dialects::siege {

struct SiegeUrl {
  Url url;
  std::string method = "GET";
  std::string body{};
  std::string content_type{};  // "": that of the settings
  bool has_method = false;     // a method word was written
};

// One URL. What is behind a method word is the body, `<file` the content of that file. The error
// names the text and the fault.
Expected<SiegeUrl> parse_siege_url(std::string_view text, const SiegeSettings& settings);

// The URLs of a list. `path` is for the errors, which name the line.
Expected<std::vector<SiegeUrl>> parse_url_list(std::string_view text, const std::string& path,
                                               const SiegeSettings& settings);

// Path and query as siege escapes them: what is unsafe becomes %XX, what is safe is decoded.
std::string escape_target(std::string_view target);

}  // namespace carronade::dialects::siege
