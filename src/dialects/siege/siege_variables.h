// `$(NAME)`, `${NAME}` and `$NAME` in siege's files.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace carronade::dialects::siege {

using Variables = std::map<std::string, std::string, std::less<>>;

// References replaced by the variable, else by the environment's, else by nothing; `\$` is a
// dollar. A bare name ends at the first byte that is no letter, digit or underscore.
std::string expand(std::string_view text, const Variables& variables);

}  // namespace carronade::dialects::siege
