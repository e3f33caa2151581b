#include "dialects/carronade/carronade_flags.h"

#include <iterator>

#include "cli/flag_setters.h"
#include "dialects/carronade/flag_parts.h"

namespace carronade::dialects {
namespace {

using cli::ArgKind;
using cli::FlagSetter;
using cli::FlagTable;
using cli::FlagValue;

constexpr int64_t kSecond = 1'000'000'000;

// `auto` beside the words of a warm-up run.
FlagSetter set_warmup(Options& o) {
  return [&o, set_words = cli::set_words(o.warmup)](const FlagValue& value) -> Expected<void> {
    if (value.grouped || value.text != "auto") return set_words(value);
    o.find_warmup = true;
    return {};
  };
}

FlagTable load_flags(Options& o) {
  return {
      {.name = "connections",
       .letter = 'c',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Load",
       .doc = "connections open at once",
       .more = "A total over all workers; with several URLs connection i uses URL i mod n.",
       .default_text = "10",
       .compat = "better: units (`1k`); a total also with -w, remainders are spread",
       .set = cli::set_count(o.connections)},
      {.name = "pipelining",
       .letter = 'p',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Load",
       .doc = "requests in flight on each connection",
       .default_text = "1",
       .compat = "better: each request of a pipeline has a start time of its own",
       .set = cli::set_count(o.pipelining)},
      {.name = "workers",
       .letter = 'w',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Load",
       .doc = "threads that share the connections",
       .more = "Never more than there are connections.",
       .default_text = "1",
       .compat = "better: connections, amounts and limits stay totals over all workers",
       .set = cli::set_count(o.workers)},
      {.name = "duration",
       .letter = 'd',
       .kind = ArgKind::kValue,
       .hint = "TIME",
       .section = "Load",
       .doc = "how long to run, in seconds or with units: 10, 1m30s, 500ms",
       .default_text = "10s",
       .compat = "better: units down to ns; the run ends on time, not on the next sample. With -a "
                 "an explicit -d is a second limit, unless in the strict form, where -a "
                 "overrides it",
       .set = cli::set_duration(o.duration_ns, kSecond)},
      {.name = "amount",
       .letter = 'a',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Load",
       .doc = "requests to make in total, instead of the default duration",
       .compat = "better: fewer requests than connections are made exactly; the strict form "
                 "refuses them as autocannon does",
       .set = cli::set_count(o.amount)},
      {.name = "maxOverallRequests",
       .letter = 'O',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Load",
       .doc = "requests to make in total at most; ignored beside -a and -M",
       .compat = "better: a total also with -w",
       .set = cli::set_count(o.max_overall_requests)},
      {.name = "maxConnectionRequests",
       .letter = 'M',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Load",
       .doc = "requests to make on each connection at most",
       .compat = "same",
       .set = cli::set_count(o.max_connection_requests)},
      {.name = "reconnectRate",
       .letter = 'D',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Load",
       .doc = "close and reopen a connection after every N requests on it",
       .default_text = "never",
       .compat = "same",
       .set = cli::set_count(o.reconnect_rate)},
      {.name = "bailout",
       .letter = 'B',
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Load",
       .doc = "end the run after N failures (errors, timeouts, mismatched bodies)",
       .compat = "same",
       .set = cli::set_count(o.bailout)},
      {.name = "timeout",
       .letter = 't',
       .kind = ArgKind::kValue,
       .hint = "TIME",
       .section = "Load",
       .doc = "give up on a request, or on making a connection, after this time",
       .more = "A bare number is in seconds.",
       .default_text = "10s",
       .compat = "better: units and fractions of a second; armed for each request and for the "
                 "connection",
       .set = cli::set_duration(o.timeout_ns, kSecond)},
      {.name = "warmup",
       .letter = 'W',
       .kind = ArgKind::kWords,
       .hint = "[ -c N -d TIME ]",
       .section = "Load",
       .doc = "a run before the run, left out of all figures; auto: found in the run itself",
       .more = "The group holds options that replace those of the main run; a bare TIME stands "
               "for [ -d TIME ]. Without a rate of its own the warm-up has that of the main run, "
               "from its beginning. The word auto, which may stand beside the group in a --warmup "
               "of its own, asks for the unsteady beginning of the run to be found by MSER-5 "
               "afterwards and kept apart; it needs a load that does not change by itself.",
       .compat = "better: every short option works in the group, and a bare time instead of it; "
                 "a -d in the group ends the warm-up also beside -a; `auto` is new. With -j the "
                 "plain form prints one document, the strict form two",
       .set = set_warmup(o)},
      {.name = "forever",
       .letter = 'f',
       .section = "Load",
       .doc = "begin again after each round, with a report of each, until Ctrl-C",
       .more = "Ctrl-C reports the round that it cuts short. With -j each round is a line of JSON. "
               "A warm-up comes once, before the first round. After a round of less than a second "
               "in which nobody answered, the next one begins a second later. When the command of "
               "--on-port has ended there is no further round.",
       .compat = "better: with -w and with -j too; the strict form refuses -w and prints no JSON, "
                 "as autocannon does",
       .set = cli::set_switch(o.forever)},
      {.name = "on-port",
       .aliases = {"onPort"},
       .section = "Load",
       .doc = "start the command after -- and wait until it listens on a TCP port",
       .more = "carronade --on-port /path -- node server.js starts a server for the run, sends "
               "the requests of every URL that is a path to the port that it (or a process below "
               "it) listens on, and stops it before the report: by SIGINT, and after 5 s by "
               "SIGKILL. Its output passes through, its input is empty. Of several ports that are "
               "found at once, the lowest is taken. With the word node after -- the option need "
               "not be written.",
       .compat = "better: any program, not only node, since its sockets are watched from outside; "
                 "one that ends, or never listens, is an error; nothing of it outlives the run",
       .set = cli::set_switch(o.on_port)},
      {.name = "on-port-timeout",
       .kind = ArgKind::kValue,
       .hint = "TIME",
       .section = "Load",
       .doc = "how long --on-port waits for the command to listen",
       .default_text = "30s",
       .compat = "new",
       .set = cli::set_duration(o.on_port_timeout_ns, kSecond)},
  };
}

FlagTable other_flags(Options& o) {
  return {
      {.name = "dry-run",
       .section = "Other",
       .doc = "print the first request of each URL and its addresses, and send nothing",
       .compat = "new",
       .set = cli::set_switch(o.dry_run)},
      {.name = "debug",
       .section = "Other",
       .doc = "print one exchange and each error as it comes",
       .compat = "better: one exchange byte for byte (not in the strict form), and errors with "
                 "their address and reason",
       .set = cli::set_switch(o.debug)},
      {.name = "version",
       .letter = 'v',
       .section = "Other",
       .doc = "print version and features",
       .compat = "same",
       .set = cli::set_switch(o.version)},
      {.name = "help",
       .letter = 'h',
       .section = "Other",
       .doc = "print this text",
       .compat = "different: on standard output, unless in the strict form",
       .set = cli::set_switch(o.help)},
      {.name = "print-man", .set = cli::set_switch(o.print_man)},
      {.name = "print-compat", .set = cli::set_switch(o.print_compat)},
  };
}

}  // namespace

FlagTable carronade_flags(Options& options) {
  FlagTable table;
  for (auto* part : {load_flags, rate_flags, request_flags, placeholder_flags, tls_flags,
                     report_flags, other_flags}) {
    FlagTable rows = part(options);
    table.insert(table.end(), std::make_move_iterator(rows.begin()),
                 std::make_move_iterator(rows.end()));
  }
  return table;
}

}  // namespace carronade::dialects
