// What a page makes a browser fetch, as far as siege's parser looks: style sheets, scripts, images,
// the background of the body, and a refresh that leads to another page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carronade::dialects::siege {

struct PageLinks {
  std::vector<std::string> resources;  // as written, each once, in the page's order; 2,048 at most
  std::optional<std::string> refresh;  // where a <meta http-equiv=refresh> leads
  std::optional<std::string> base;     // what references are relative to, when the page says so
};

// Anything may be in `html`. Comments, and what is in scripts and styles, are no markup.
PageLinks page_links(std::string_view html);

}  // namespace carronade::dialects::siege
