// The request that loadtest sends, header for header as the original does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
// kept. Headers without a colon are left out. Reads the body's file; the error is that of reading
// it.
Expected<Request> make_loadtest_request(const LoadtestOptions& options,
                                        const LoadtestConfig& config,
                                        const LoadtestSettings& settings);

// A line for standard error for each header that is left out; the run goes on.
std::vector<std::string> header_complaints(const LoadtestOptions& options);

}  // namespace carronade::dialects::loadtest
