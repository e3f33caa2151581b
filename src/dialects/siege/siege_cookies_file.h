// $HOME/.siege/cookies.txt: the cookies that outlive a run, one a line with the user's number
// before it: `0 | a=b; domain=.example.org; path=/; expires=1827619200`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "http/cookie_jar.h"

namespace carronade::dialects::siege {

// What does not read as a cookie, and what has expired, is passed over.
std::vector<http::Cookie> read_cookies(std::string_view text, int64_t now_s);

// The cookies that have a date of their own, as a file.
std::string cookies_text(const std::vector<http::Cookie>& cookies);

}  // namespace carronade::dialects::siege
