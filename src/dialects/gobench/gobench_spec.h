// From gobench's options to a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "carronade/run_spec.h"
#include "carronade/url.h"
#include "dialects/gobench/gobench_flags.h"

namespace carronade::dialects::gobench {

// Reads the files of -f and -d. The error is one line: a file that cannot be read, a URL that is
// none with the line it stands in, numbers out of range. No value: there is nothing to send,
// because no client, no request or no time was asked for.
Expected<std::optional<RunSpec>> make_gobench_spec(const GobenchOptions& options, uint32_t workers);

// The URLs of a file, one a line; empty lines are none. `name` is the file's in errors.
Expected<std::vector<Url>> parse_url_list(std::string_view text, const std::string& name);

// The request as fasthttp words it, without its body.
std::string request_head(const Url& url, const GobenchOptions& options, size_t body_bytes);

}  // namespace carronade::dialects::gobench
