// How many file descriptors there are to be had. The limit counts for a table of descriptors, and
// that is the process's unless a thread has one of its own.
#pragma once

#include <cstdint>
#include <vector>

namespace carronade::net {

// Raises the soft RLIMIT_NOFILE as far as the hard limit allows; gives the limit in force, 0
// when it cannot be known.
uint64_t raise_descriptor_limit();

// Whether a thread may have a table of its own: a container may forbid it.
bool can_separate_descriptors();
// Gives the calling thread a table of its own, with copies of 0, 1, 2 and `kept` in it under the
// same numbers: the limit is for this thread alone from here on. What the thread opens later it
// must close itself, for the number means nothing to other threads; the copies go away with it.
// False when the kernel refuses; then nothing has changed.
bool separate_descriptors(std::vector<int> kept);
// At the end of such a thread: closes its copies now, and not only some time after it was joined.
void close_separated_descriptors();

}  // namespace carronade::net
