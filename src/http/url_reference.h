// References to other resources, as a Location header has them, made whole (RFC 3986 5.2).
#pragma once

#include <string_view>

#include "carronade/expected.h"
#include "carronade/url.h"

namespace carronade::http {

// What `reference` means in an answer from `base`: "http://host/a", "//host/a", "/a", "a", "../a",
// "?q". Dot segments are resolved and a fragment is dropped; bytes that may not stand in a request
// line are percent-encoded, as in parse_url. A reference without a host of its own keeps the
// credentials of `base`. The error names the reference and the fault.
Expected<Url> resolve_reference(const Url& base, std::string_view reference);

}  // namespace carronade::http
