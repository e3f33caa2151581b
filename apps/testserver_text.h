// What testserver-loadtest prints of the requests that come in, as pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/request_sampler.h"

namespace carronade::apps {

// The headers of a request (`head`: its request line and headers as received) as Node shows its
// headers object: on one line when it is short, names in lower case, repeated ones joined.
std::string node_headers_text(std::string_view head);

// The lines for one sampled request: the requests per second since the last ones (not below 1),
// its headers and its body, the latter two where it has any.
std::string sample_text(const server::RequestSample& sample, double requests_per_second);

}  // namespace carronade::apps
