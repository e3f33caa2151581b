// The request that loadtest sends, header for header as the original does.
#pragma once

#include <string_view>

#include "carronade/expected.h"
#include "carronade/request.h"

namespace carronade::dialects::loadtest {

struct LoadtestConfig;
struct LoadtestOptions;
struct LoadtestSettings;

// Of the version whose command line this is.
inline constexpr std::string_view kLoadtestVersion = "8.2.1";

// For http and https: method, headers in the original's order, body. For ws and wss: the headers
// of the user alone, and the message as JSON. `settings` has the URL and whether connections are
// kept; headers without a colon are told in its `complaints`. Reads the body's file; the error is
// that of reading it.
Expected<Request> make_loadtest_request(const LoadtestOptions& options,
                                        const LoadtestConfig& config, LoadtestSettings& settings);

}  // namespace carronade::dialects::loadtest
