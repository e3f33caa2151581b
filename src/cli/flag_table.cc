#include "cli/flag_table.h"

#include <algorithm>

namespace carronade::cli {

const Flag* find_long(const FlagTable& table, std::string_view name) {
  for (const Flag& flag : table) {
    const auto& others = flag.aliases;
    if (!flag.name.empty() && flag.name == name) return &flag;
    if (std::find(others.begin(), others.end(), name) != others.end()) return &flag;
  }
  return nullptr;
}

const Flag* find_letter(const FlagTable& table, char letter) {
  const auto row = std::find_if(table.begin(), table.end(),
                                [letter](const Flag& flag) { return flag.letter == letter; });
  return letter == 0 || row == table.end() ? nullptr : &*row;
}

}  // namespace carronade::cli
