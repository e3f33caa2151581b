// What this binary is made of.
#pragma once

#include <string>

namespace carronade::cli {

// One line: "HTTP/1.1, TLS (OpenSSL 3.0.15), …".
std::string feature_list();
// One line: "Release, GCC 12.2.0, x86_64 Linux".
std::string build_description();

}  // namespace carronade::cli
