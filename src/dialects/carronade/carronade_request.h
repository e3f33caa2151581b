// The words of the command line that describe requests: URLs, headers, methods.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "carronade/request.h"

namespace carronade::dialects {

// The two command lines of this folder: `carronade` and `carronade autocannon`.
enum class Form { kPlain, kStrict };

// The URL that an operand stands for. `port` is the environment variable PORT: with it a path
// goes to http://localhost:PORT (in the strict form any word without a scheme does). A word
// without a scheme gets http://.
std::string complete_url(const std::string& word, const std::optional<std::string>& port,
                         Form form);

// "K=V" or "K:V", cut at whichever separator comes first. The plain form drops one space after
// it, as in `-H 'Accept: text/html'`. Errors: no separator, an empty or impossible name, a line
// break in the value.
Expected<Header> parse_header(std::string_view text, Form form);

// All -H words. In the strict form the last of a name wins, in the place of the first, as in a
// JavaScript object.
Expected<std::vector<Header>> parse_headers(const std::vector<std::string>& words, Form form);

// Any token in the plain form, one of autocannon's nine in the strict one.
Expected<void> check_method(std::string_view method, Form form);

}  // namespace carronade::dialects
