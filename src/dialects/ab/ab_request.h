// From ab's options to the request on the wire and the RunSpec.
#pragma once

#include <optional>
#include <string>

#include "carronade/run_spec.h"
#include "dialects/ab/ab_options.h"
#include "dialects/ab/ab_target.h"

namespace carronade::dialects::ab {

// Head and body, byte for byte: HTTP/1.0, the lines in ab's order and case.
std::string ab_request(const AbOptions& options, const AbTarget& target);

// Name for the TLS handshake (SNI): of the last Host line, else the URL's host; "" for none (an
// address, -I, or no TLS at all).
std::string ab_server_name(const AbOptions& options, const AbTarget& target);

// Everything but the source. `processors` is what -W 0 stands for.
RunSpec ab_spec(const AbOptions& options, const AbTarget& target,
                const std::optional<AbProxy>& proxy, uint32_t processors);

}  // namespace carronade::dialects::ab
