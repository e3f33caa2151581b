// The one place where a RunSpec is checked.
#pragma once

#include "carronade/expected.h"
#include "carronade/run_spec.h"

namespace carronade::run {

// The first thing that is wrong, as one line, or nothing.
Expected<void> validate(const RunSpec& spec);

}  // namespace carronade::run
