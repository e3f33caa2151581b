// HAR files (HTTP Archive 1.2), as browsers write them: the requests that were made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "carronade/request.h"
#include "carronade/url.h"
#include "dialects/carronade/carronade_request.h"

namespace carronade::dialects {

struct HarEntry {
  size_t number = 0;       // in the file, from 1
  std::string origin;      // "https://httpbin.org"
  std::optional<Url> url;  // unset: its scheme is another than http and https
  std::string fragment;    // with its '#'; "" for none
  bool has_body = false;   // may be empty
  Request request;         // as recorded, without a path
};

// At least one entry. The error names file and entry in the plain form; in the strict one it is
// what autocannon dies of. `path` is for the error.
Expected<std::vector<HarEntry>> parse_har(std::string_view text, const std::string& path,
                                          Form form);
Expected<std::vector<HarEntry>> read_har(const std::string& path, Form form);

}  // namespace carronade::dialects
