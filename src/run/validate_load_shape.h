// The part of validate.h that concerns rates and changing numbers of connections.
#pragma once

#include "carronade/expected.h"
#include "carronade/run_spec.h"

namespace carronade::run {

// Whether the rate, or the connection stages, are in their ranges, fit together and come to an
// end. One line.
Expected<void> validate_load_shape(const RunSpec& spec);

}  // namespace carronade::run
