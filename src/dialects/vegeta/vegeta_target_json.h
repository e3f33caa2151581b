// Targets as JSON Lines:
// {"method":"POST","url":"http://h/","body":"<base64>","header":{"K":["v"]}}.
#pragma once

#include <memory>

#include "dialects/vegeta/vegeta_targets.h"

namespace carronade::dialects::vegeta {

std::unique_ptr<TargetReader> make_json_target_reader(LineReader lines, TargetDefaults defaults);

}  // namespace carronade::dialects::vegeta
