// A proxy as command lines and the environment name it.
#pragma once

#include <string_view>

#include "carronade/expected.h"
#include "carronade/proxy_spec.h"

namespace carronade::http {

// "http://[user:pass@]host[:port]", "http://" may be left out; without a port it is 80. A path is
// an error, and so is another scheme: the error says which kind is spoken. It quotes no password.
Expected<ProxySpec> parse_proxy(std::string_view text);

}  // namespace carronade::http
