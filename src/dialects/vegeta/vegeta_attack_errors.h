// What goes wrong with a request, in the words of Go's client, which scripts look for.
#pragma once

#include <string>
#include <string_view>

#include "carronade/request_source.h"

namespace carronade::dialects::vegeta {

// The error of a result: `Get "http://h/": dial tcp 0.0.0.0:0->127.0.0.1:1: connect: connection
// refused`. `local` is -laddr. Ports of our own are left out: each connection has another one.
std::string go_client_error(const Loss& loss, std::string_view method, std::string_view url,
                            std::string_view local);

// `Get "http://h/": ` with a password taken out.
std::string go_error_prefix(std::string_view method, std::string_view url);

}  // namespace carronade::dialects::vegeta
