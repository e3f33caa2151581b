// The `spec` argument of `new Engine(spec, hooks)` as a RunSpec.
#pragma once

#include <napi.h>

#include "carronade/expected.h"
#include "carronade/run_spec.h"

namespace carronade::node {

// An absent field has the RunSpec's default. The error names the field; what only the engine can
// judge is left to Run::create. JavaScript thread.
Expected<RunSpec> read_spec(const Napi::Object& object);

}  // namespace carronade::node
