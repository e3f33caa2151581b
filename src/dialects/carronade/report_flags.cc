#include "cli/flag_setters.h"
#include "dialects/carronade/flag_parts.h"

namespace carronade::dialects {
namespace {

using cli::ArgKind;

constexpr int64_t kMillisecond = 1'000'000;

}  // namespace

cli::FlagTable report_flags(Options& o) {
  return {
      {.name = "renderLatencyTable",
       .aliases = {"latency"},
       .letter = 'l',
       .section = "Report",
       .doc = "all latency percentiles",
       .compat = "same",
       .set = cli::set_switch(o.latency_table)},
      {.name = "renderStatusCodes",
       .aliases = {"statusCodes"},
       .section = "Report",
       .doc = "a table of the status codes",
       .compat = "same",
       .set = cli::set_switch(o.status_codes)},
      {.name = "json",
       .letter = 'j',
       .section = "Report",
       .doc = "one JSON document on standard output and nothing else there",
       .compat = "better: every key of autocannon's, and an object `carronade` beside them "
                 "(not in the strict form)",
       .set = cli::set_switch(o.json)},
      {.name = "hdr",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Report",
       .doc = "write the latencies of each second as an HdrHistogram interval log",
       .more = "Response times in ns, V2 compressed; warm-up and stages are tagged.",
       .compat = "new",
       .set = cli::set_path(o.hdr_file)},
      {.name = "hgrm",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Report",
       .doc = "write the latency percentiles as HdrHistogram's tools and plotters read them",
       .compat = "new",
       .set = cli::set_path(o.hgrm_file)},
      {.name = "strict",
       .section = "Report",
       .doc = "exit with 3 when the verdict on the run is that it is invalid",
       .compat = "new",
       .set = cli::set_switch(o.strict_verdict)},
      {.name = "sampleInt",
       .letter = 'L',
       .kind = ArgKind::kValue,
       .hint = "TIME",
       .section = "Report",
       .doc = "width of a sample of Req/Sec and Bytes/Sec; a bare number is in ms",
       .default_text = "1s",
       .compat = "better: units",
       .set = cli::set_duration(o.sample_interval_ns, kMillisecond)},
      {.name = "title",
       .letter = 'T',
       .kind = ArgKind::kValue,
       .hint = "TEXT",
       .section = "Report",
       .doc = "a title to find the result by",
       .compat = "same",
       .set = cli::set_text(o.title)},
      {.name = "excludeErrorStats",
       .letter = 'x',
       .section = "Report",
       .doc = "leave responses that are not 2xx out of latency and bytes",
       .compat = "same",
       .set = cli::set_switch(o.exclude_error_stats)},
      {.name = "progress",
       .aliases = {"renderProgressBar"},
       .section = "Report",
       .doc = "no header and no progress line",
       .default_text = "on",
       .compat = "same",
       .set = cli::set_switch(o.progress)},
      {.letter = 'n',
       .section = "Report",
       .doc = "the same as --no-progress",
       .compat = "different: hides what autocannon's help says, the progress; in the strict form "
                 "it hides the whole report, as autocannon does",
       .set = cli::set_switch(o.quiet)},
      {.name = "verbose",
       .letter = 'V',
       .section = "Report",
       .doc = "only the last lines of the report, without tables",
       .default_text = "on",
       .compat = "same",
       .set = cli::set_switch(o.verbose)},
  };
}

}  // namespace carronade::dialects
