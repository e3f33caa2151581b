// siege's options as a table.
#pragma once

#include "cli/flag_table.h"
#include "dialects/siege/siege_settings.h"

namespace carronade::dialects::siege {

// What the command line asks for beside the settings.
struct SiegeCall {
  bool version = false;
  bool help = false;
  bool show_config = false;
  std::string config_file;  // -R
};

// The setters fill both, which must outlive the table.
cli::FlagTable siege_flags(SiegeSettings& settings, SiegeCall& call);

}  // namespace carronade::dialects::siege
