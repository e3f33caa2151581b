#include "script/request_fault.h"

#include <algorithm>

namespace carronade::script {

std::string describe_fault(std::string_view text, const RequestCut& cut) {
  const std::string_view before = text.substr(0, cut.end);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t line_begin = before.rfind('\n') + 1;  // 0 when there is none
  const size_t column = before.size() - line_begin + 1;
  const std::string kind = cut.fault == CutFault::kMalformed ? "malformed" : "incomplete";
  return kind + " request at " + std::to_string(lines + 1) + ":" + std::to_string(column);
}

}  // namespace carronade::script
