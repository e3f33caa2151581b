// What the requests of a HAR file become on their way to the servers that the command line names.
#pragma once

#include <string>
#include <vector>

#include "carronade/run_spec.h"
#include "dialects/carronade/carronade_request.h"
#include "dialects/carronade/har_file.h"
#include "dialects/carronade/spec_error.h"

namespace carronade::dialects {

// Gives each target the entries of its URL's origin as its sequence; Target::request has what the
// command line says of requests. The plain form drops what belongs to the recorded connection
// (Connection and its kin, Host, HTTP/2's pseudo-headers) and the fragment, an entry's header
// replaces that of -H in any letter case, and a target without entries is an error. The strict
// form sends what autocannon sends, see docs/compat/autocannon.md. `file` is for errors.
SpecResult apply_har(const std::vector<HarEntry>& entries, const std::string& file, Form form,
                     std::vector<Target>& targets);

// A line for each origin whose entries are left out, in autocannon's words.
std::vector<std::string> skipped_origins(const std::vector<HarEntry>& entries,
                                         const std::vector<Target>& targets);

}  // namespace carronade::dialects
