// Help, man page and compatibility page of the two command lines of this folder.
#pragma once

#include <string>

#include "dialects/carronade/carronade_request.h"

namespace carronade::dialects {

std::string carronade_help(Form form);
// docs/carronade.1 and docs/compat/autocannon.md, as they lie in the repository.
std::string carronade_man();
std::string autocannon_compat_page();

}  // namespace carronade::dialects
