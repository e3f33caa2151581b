// The flag table of carronade_flags.h by theme; each part fills `options`, which must outlive it.
#pragma once

#include "cli/flag_table.h"
#include "dialects/carronade/carronade_flags.h"

namespace carronade::dialects {

// How much load, instead of as much as the connections take.
cli::FlagTable rate_flags(Options& options);
// What is sent, and from where to where.
cli::FlagTable request_flags(Options& options);
// What is filled in anew for each request.
cli::FlagTable placeholder_flags(Options& options);
cli::FlagTable tls_flags(Options& options);
cli::FlagTable report_flags(Options& options);

}  // namespace carronade::dialects
