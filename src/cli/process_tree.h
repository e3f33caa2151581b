// Which processes are below which, as /proc shows them at this moment: a process may end or start
// another one while the answer is being made.
#pragma once

#include <sys/types.h>

#include <vector>

namespace carronade::cli {

// In no order; those that have ended and are not reaped yet among them. Empty where /proc is not
// there.
std::vector<pid_t> children_of(pid_t parent);
// Children, children of children and so on, without `root` itself.
std::vector<pid_t> descendants_of(pid_t root);

}  // namespace carronade::cli
