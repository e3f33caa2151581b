// What is wrong with a text that holds no whole request, in words.
#pragma once

#include <string>
#include <string_view>

#include "script/request_text.h"

namespace carronade::script {

// "incomplete request at 2:1": line and column of the fault, from 1.
std::string describe_fault(std::string_view text, const RequestCut& cut);

}  // namespace carronade::script
