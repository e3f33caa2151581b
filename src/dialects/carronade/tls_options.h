// The options under the heading "TLS".
#pragma once

#include "carronade/run_spec.h"
#include "dialects/carronade/carronade_flags.h"
#include "dialects/carronade/carronade_request.h"
#include "dialects/carronade/spec_error.h"

namespace carronade::dialects {

// Tries the files, so that one that cannot be read is named in autocannon's words, and looks which
// form the client's certificate has.
SpecResult set_tls(const Options& options, Form form, TlsSpec& tls);

}  // namespace carronade::dialects
