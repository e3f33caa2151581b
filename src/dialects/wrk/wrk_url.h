// The URL on wrk's command line.
#pragma once

#include <string>
#include <string_view>

#include "carronade/expected.h"
#include "script/wrk_table.h"

namespace carronade::dialects::wrk {

// Scheme and host are needed; everything behind them is sent as it is written. `quirks`: the query
// of a URL without a path is lost. The error is "invalid URL: TEXT".
Expected<script::ScriptSite> read_url(std::string_view text, bool quirks);

}  // namespace carronade::dialects::wrk
