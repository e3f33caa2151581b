// From loadtest's settings to a run.
#pragma once

#include "carronade/run_spec.h"
#include "dialects/loadtest/loadtest_settings.h"

namespace carronade::dialects::loadtest {

// Without a source. With a rate the clients are made on demand, as many as the rate needs.
RunSpec make_loadtest_spec(const LoadtestSettings& settings);

}  // namespace carronade::dialects::loadtest
