// The part of validate.h that concerns what is spoken with whom: WebSocket targets, proxies.
#pragma once

#include "carronade/expected.h"
#include "carronade/run_spec.h"

namespace carronade::run {

// Whether the targets, and the way to them, fit together. One line.
Expected<void> validate_targets(const RunSpec& spec);

}  // namespace carronade::run
