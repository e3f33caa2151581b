#include "dialects/carronade/carronade_flags.h"

#include <utility>

#include "base/units.h"
#include "cli/flag_setters.h"
#include "cli/load_shape_text.h"

namespace carronade::dialects {
namespace {

using cli::ArgKind;
using cli::FlagSetter;
using cli::FlagTable;
using cli::FlagValue;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMillisecond = 1'000'000;

// `auto` beside the words of a warm-up run.
FlagSetter set_warmup(Options& o) {
  return [&o, set_words = cli::set_words(o.warmup)](const FlagValue& value) -> Expected<void> {
    if (value.grouped || value.text != "auto") return set_words(value);
    o.find_warmup = true;
    return {};
  };
}

// One of the flags that say how much load there is; `fill` reads the text.
template <class Fill>
FlagSetter set_load(Options& o, std::string flag, Fill fill) {
  return [&o, flag = std::move(flag), fill](const FlagValue& value) -> Expected<void> {
    LoadOption load;
    load.flag = flag;
    load.text = value.text;
    if (Expected<void> done = fill(value.text, load); !done) return done;
    std::erase_if(o.loads, [&flag](const LoadOption& other) { return other.flag == flag; });
    o.loads.push_back(std::move(load));
    return {};
  };
}

FlagSetter set_rate(Options& o, std::string flag) {
  return set_load(o, std::move(flag),
                  [](const std::string& text, LoadOption& load) -> Expected<void> {
                    const Expected<double> rate = base::parse_rate(text);
                    if (!rate) return unexpected(rate.error());
                    load.rate = *rate;
                    return {};
                  });
}

// `parse` gives the stages of a rate that changes.
template <class Parse>
FlagSetter set_stages(Options& o, std::string flag, Parse parse) {
  return set_load(o, std::move(flag),
                  [parse](const std::string& text, LoadOption& load) -> Expected<void> {
                    auto stages = parse(text);
                    if (!stages) return unexpected(stages.error());
                    load.stages = std::move(*stages);
                    return {};
                  });
}

FlagSetter set_connection_stages(Options& o, std::string flag) {
  return set_load(o, std::move(flag),
                  [](const std::string& text, LoadOption& load) -> Expected<void> {
                    auto stages = cli::parse_stages_connections(text);
                    if (!stages) return unexpected(stages.error());
                    load.connection_stages = std::move(*stages);
                    return {};
                  });
}

FlagSetter set_arrivals(Options& o) {
  return [&o](const FlagValue& value) -> Expected<void> {
    const auto parsed = cli::parse_arrivals(value.text);
    if (!parsed) return unexpected(parsed.error());
    o.arrivals = parsed->arrivals;
    o.burst = parsed->burst;
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
      {.name = "forever", .letter = 'f', .compat = "not yet", .supported = false},
      {.name = "on-port", .aliases = {"onPort"}, .compat = "not yet", .supported = false},
  };
}

// How much load, instead of as much as the connections take.
FlagTable rate_flags(Options& o) {
  return {
      {.name = "rate",
       .aliases = {"overallRate"},
       .letter = 'R',
       .kind = ArgKind::kValue,
       .hint = "RATE",
       .section = "Rate",
       .doc = "requests per second in total, sent by a schedule: 200, 1.5k, 0.5/s, 30/m",
       .more = "An open loop: requests are due by the schedule, whatever the server does, and "
               "latency counts from the time due. The rate is a total over all connections and "
               "workers.",
       .compat = "different: spread evenly instead of sent in a burst at each second, whether "
                 "answers come or not; latency counts from the time due. Fractions and units "
                 "work; the strict form refuses less than 1 and lowers -c to a smaller rate, as "
                 "autocannon does",
       .set = set_rate(o, "--rate")},
      {.name = "connectionRate",
       .letter = 'r',
       .kind = ArgKind::kValue,
       .hint = "RATE",
       .section = "Rate",
       .doc = "the same for each connection: the total is RATE times the connections",
       .more = "Which connection sends a request is not bound to this: it is the next free one.",
       .compat = "different: as --rate, and the total is spread over the connections as they are "
                 "free; the strict form ignores -R beside it, as autocannon does",
       .set = set_rate(o, "--connectionRate")},
      {.name = "ramp",
       .kind = ArgKind::kValue,
       .hint = "A..B/T",
       .section = "Rate",
       .doc = "a rate that goes evenly from A to B in the time T: 10..500/30s",
       .more = "The run lasts T; with a longer -d the last rate is held until then.",
       .compat = "new",
       .set = set_stages(o, "--ramp", cli::parse_ramp)},
      {.name = "stages",
       .kind = ArgKind::kValue,
       .hint = "LIST",
       .section = "Rate",
       .doc = "stages of a rate, one after the other: \"10s:100, 30s:100..1000, 1m:1000\"",
       .more = "Each stage has its own line in the report. The run lasts their sum; -d ends it "
               "sooner, and a longer -d holds the last rate.",
       .compat = "new",
       .set = set_stages(o, "--stages", cli::parse_stages)},
      {.name = "step",
       .kind = ArgKind::kValue,
       .hint = "A..B:STEP/T",
       .section = "Rate",
       .doc = "a rate that steps from A to B, the time T for each: 100..500:100/10s",
       .more = "Each step is a stage. The run lasts their sum; -d ends it sooner, and a longer -d "
               "holds the last rate.",
       .compat = "new",
       .set = set_stages(o, "--step", cli::parse_step)},
      {.name = "sine",
       .kind = ArgKind::kValue,
       .hint = "A..B/PERIOD",
       .section = "Rate",
       .doc = "a rate that swings between A and B, from A on: 100..300/20s",
       .compat = "new",
       .set = set_stages(o, "--sine", cli::parse_sine)},
      {.name = "rate-file",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Rate",
       .doc = "a rate that follows a file of lines TIME,RATE; - is standard input",
       .more = "Linear between the lines; two lines of the same time make a step. The first rate "
               "holds until the first time. The run lasts until the last time; -d ends it sooner, "
               "and a longer -d "
               "holds the last rate.",
       .compat = "new",
       .set = set_stages(o, "--rate-file", cli::read_rate_file)},
      {.name = "stages-connections",
       .kind = ArgKind::kValue,
       .hint = "LIST",
       .section = "Rate",
       .doc = "a closed loop on a changing number of connections: \"10s:10..200, 30s:200\"",
       .more = "Instead of -c. The run lasts the sum of the stages; -d ends it sooner, and a "
               "longer -d holds the last number.",
       .compat = "new",
       .set = set_connection_stages(o, "--stages-connections")},
      {.name = "arrivals",
       .kind = ArgKind::kValue,
       .hint = "KIND",
       .section = "Rate",
       .doc = "how requests are placed under the rate: even, poisson, jitter, burst:N",
       .more = "Even: at equal distances. Poisson: as independent users come, the gaps "
               "exponential. Jitter: one at a random instant of each distance. Burst: N at once.",
       .default_text = "even",
       .compat = "new",
       .set = set_arrivals(o)},
      {.name = "seed",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Rate",
       .doc = "of random arrivals: the same seed gives the same schedule",
       .default_text = "1",
       .compat = "new",
       .set = cli::set_count(o.seed)},
      {.name = "max-connections",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Rate",
       .doc = "open further connections while all are busy, up to N in total",
       .default_text = "no more than -c",
       .compat = "new",
       .set = cli::set_count(o.max_connections)},
      {.name = "overflow",
       .kind = ArgKind::kValue,
       .hint = "POLICY",
       .section = "Rate",
       .doc = "a request that is due while no connection is free: queue it, or drop it",
       .more = "What waits in the queue counts its waiting as latency; what is dropped is counted "
               "as such and never sent.",
       .default_text = "queue",
       .compat = "new",
       .set = cli::set_choice<Overflow>(o.overflow,
                                        {{"queue", Overflow::kQueue}, {"drop", Overflow::kDrop}})},
      {.name = "max-backlog",
       .kind = ArgKind::kValue,
       .hint = "N",
       .section = "Rate",
       .doc = "requests that may wait for a connection at most; more are dropped",
       .default_text = "1M",
       .compat = "new",
       .set = cli::set_count(o.max_backlog)},
      {.name = "pace",
       .kind = ArgKind::kValue,
       .hint = "MODE",
       .section = "Rate",
       .doc = "how to wait for a due time: hybrid, spin (most exact, takes a core), sleep",
       .more = "Hybrid sleeps until shortly before and then polls, for at most a tenth of the "
               "time.",
       .default_text = "hybrid",
       .compat = "new",
       .set = cli::set_choice<PaceMode>(o.pace, {{"hybrid", PaceMode::kHybrid},
                                                 {"spin", PaceMode::kSpin},
                                                 {"sleep", PaceMode::kSleep}})},
      {.name = "ignoreCoordinatedOmission",
       .letter = 'C',
       .section = "Rate",
       .doc = "latency is the service time: it counts from the sending, not from the time due",
       .compat = "same: and without it no sample is made up, see \"Rates\" below",
       .set = cli::set_switch(o.ignore_coordinated_omission)},
      {.name = "uncorrected",
       .letter = 'U',
       .section = "Rate",
       .doc = "all percentiles (-l) of response time and service time side by side",
       .more = "The two are what wrk2 calls corrected and uncorrected.",
       .compat = "new: as in wrk2",
       .set = cli::set_switch(o.uncorrected)},
  };
}

FlagTable request_flags(Options& o) {
  return {
      {.name = "method",
       .letter = 'm',
       .kind = ArgKind::kValue,
       .hint = "METHOD",
       .section = "Request",
       .doc = "any HTTP method, sent as written",
       .default_text = "GET",
       .compat = "better: any token; the strict form takes autocannon's nine",
       .set = cli::set_text(o.method)},
      {.name = "headers",
       .aliases = {"header"},
       .letter = 'H',
       .kind = ArgKind::kValue,
       .hint = "K=V",
       .section = "Request",
       .doc = "a header, K=V or K:V, cut at whichever comes first",
       .more = "It replaces a default header of the same name in any letter case; repeated names "
               "are all sent, in order. One space after the separator is dropped.",
       .compat = "different: repeated names are all sent and one space after the separator is "
                 "dropped; in the strict form the last of a name wins and the value is verbatim",
       .repeatable = true,
       .set = cli::add_text(o.headers)},
      {.name = "body",
       .letter = 'b',
       .kind = ArgKind::kValue,
       .hint = "TEXT",
       .section = "Request",
       .doc = "the body, sent byte for byte",
       .compat = "better: always text, also when it looks like a number or a group",
       .set = cli::set_text(o.body)},
      {.name = "input",
       .letter = 'i',
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Request",
       .doc = "the body from a file, byte for byte; - is standard input",
       .compat = "better: any bytes, not only UTF-8; `-i -` reads standard input",
       .set = cli::set_path(o.input)},
      {.name = "expectBody",
       .letter = 'E',
       .kind = ArgKind::kValue,
       .hint = "TEXT",
       .section = "Request",
       .doc = "the body that each response must have; others are counted as mismatches",
       .compat = "same",
       .set = cli::set_text(o.expect_body)},
      {.name = "socketPath",
       .letter = 'S',
       .kind = ArgKind::kValue,
       .hint = "PATH",
       .section = "Request",
       .doc = "connect to this Unix socket; the URL gives Host and path",
       .compat = "same",
       .set = cli::set_path(o.socket_path)},
      {.name = "local-address",
       .kind = ArgKind::kWords,
       .hint = "LIST",
       .section = "Request",
       .doc = "addresses or blocks to connect from, in turn: 10.0.0.5,10.0.0.8/29",
       .more = "One address has about 28,000 ports for one destination. On 127.0.0.0/8 more "
               "addresses are used by themselves when there are more connections than that.",
       .compat = "new",
       .repeatable = true,
       .set = cli::add_list(o.local_addresses)},
      {.name = "form",
       .letter = 'F',
       .kind = ArgKind::kValue,
       .hint = "FORM",
       .compat = "not yet",
       .supported = false},
      {.name = "har",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .compat = "not yet",
       .supported = false},
      {.name = "idReplacement", .letter = 'I', .compat = "not yet", .supported = false},
  };
}

FlagTable tls_flags(Options& o) {
  return {
      {.name = "servername",
       .letter = 's',
       .kind = ArgKind::kValue,
       .hint = "NAME",
       .section = "TLS",
       .doc = "server name of the handshake (SNI); --servername= sends none",
       .default_text = "the URL's host, none for an IP address",
       .compat = "same",
       .set = cli::set_text(o.servername)},
      {.name = "verify",
       .section = "TLS",
       .doc = "refuse servers whose certificate or name does not check out",
       .more = "On when --ca is given.",
       .compat = "new: autocannon never verifies",
       .set = cli::set_switch(o.verify)},
      {.name = "ca",
       .kind = ArgKind::kWords,
       .hint = "FILE",
       .section = "TLS",
       .doc = "certificate authorities in PEM, instead of the system's; turns --verify on",
       .more = "Several files as --ca [ a b ] or by repetition.",
       .compat = "different: it turns verification on; in the strict form it does not, as in "
                 "autocannon, where a CA never rejects anything",
       .repeatable = true,
       .set = cli::add_words(o.ca_files)},
      {.name = "cert",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "TLS",
       .doc = "client certificate chain in PEM",
       .compat = "same",
       .set = cli::set_path(o.certificate_file)},
      {.name = "key",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "TLS",
       .doc = "its private key in PEM; looked for in the --cert file when absent",
       .compat = "same",
       .set = cli::set_path(o.key_file)},
      {.name = "passphrase",
       .kind = ArgKind::kValue,
       .hint = "TEXT",
       .section = "TLS",
       .doc = "passphrase of the private key",
       .compat = "new",
       .set = cli::set_text(o.passphrase)},
      {.name = "resume",
       .section = "TLS",
       .doc = "make a full TLS handshake on every reconnect",
       .default_text = "on",
       .compat = "new: sessions are resumed by default",
       .set = cli::set_switch(o.resume)},
  };
}

FlagTable report_flags(Options& o) {
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
  for (auto* part : {load_flags, rate_flags, request_flags, tls_flags, report_flags, other_flags}) {
    FlagTable rows = part(options);
    table.insert(table.end(), std::make_move_iterator(rows.begin()),
                 std::make_move_iterator(rows.end()));
  }
  return table;
}

}  // namespace carronade::dialects
