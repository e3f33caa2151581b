// Text from outside as part of a one-line error message.
#pragma once

#include <string>
#include <string_view>

namespace carronade::http {

// In double quotes, control bytes as \xNN, cut after 100 bytes with "…".
// Say http::quoted for a std::string: where <iomanip> is included std::quoted answers as well.
std::string quoted(std::string_view text);

}  // namespace carronade::http
