#include <string>
#include <vector>

#include "cli/flag_docs.h"
#include "dialects/carronade/carronade_docs.h"
#include "dialects/carronade/carronade_flags.h"

namespace carronade::dialects {
namespace {

// The first row is the heading.
using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kOpening =
    R"(<!-- Written by `carronade --print-compat` from the flag table; do not edit. -->

# autocannon and carronade

`carronade [options] URL…` takes autocannon's command line and goes on from there.
`carronade autocannon …`, or a link to the binary named `autocannon`, is the strict form: the
same text on the same streams and the same exit codes as autocannon 8. This page says for every
option how far the two agree: **same**, **better** (the same command line gives more, or without
a defect), **different** (a script may notice), **new** (not in autocannon). For its programmable
interface see [autocannon_api.md](autocannon_api.md), and to change over
[migrating_from_autocannon.md](migrating_from_autocannon.md).

## Options

)";

Rows command_line_rows() {
  return {
      {"subject", "autocannon", "`carronade`", "strict form"},
      {"unknown option", "ignored", "refused with the nearest known one, exit 1", "likewise"},
      {"option without its value", "becomes `true`", "refused, exit 1", "likewise"},
      {"option given twice", "becomes a list", "the last one holds (`-H` and `--ca` add up)",
       "likewise"},
      {"`-d10s`, `-mPOST` (letter and text in one word)", "taken for a bundle of letters",
       "the text is the value", "likewise"},
      {"value that begins with a dash", "next option",
       "negative numbers and `-` are values; others as `-b=-x`", "likewise"},
      {"words after `--` without `--on-port`", "ignored, unless the first one is `node`",
       "refused, unless the first one is `node`, exit 1", "likewise"},
      {"`PORT` beside `--on-port`", "`PORT` is the port", "the port that the command listens on is",
       "likewise"},
      {"a command of `--on-port` that ends before it listens", "waits for ever", "message, exit 1",
       "likewise"},
      {"a word that ends in `]`, as in `-b '[<id>]'`", "not understood: the help", "a word",
       "likewise"},
      {"`-W '[ -c 1 -d 3 ]'` in one word", "not understood", "understood", "likewise"},
      {"`PORT` in the environment", "any word without a scheme is a path on localhost",
       "words that begin with `/` or `?` are", "as autocannon"},
      {"`httpbin.org` (a host that begins with \"http\")", "Invalid URL",
       "http:// is put before it", "likewise"},
      {"`serve`, `help`, `version` or `autocannon` as a URL", "a host of that name",
       "refused with a hint, exit 1; `http://serve` is the host", "as autocannon"},
      {"`-S ''`, `-i ''`, `--cert ''`, `--key ''`", "as if not given", "refused, exit 1",
       "likewise"},
      {"a `ws://` or `wss://` URL", "taken for an `http://` one",
       "round trips of the message of `-b` or `-i`", "refused, exit 1"},
      {"no URL", "help on stderr, exit 0", "help or one line on stderr, exit 1", "as autocannon"},
      {"`-h`", "stderr, exit 0", "stdout, exit 0", "as autocannon; the words are our own"},
      {"`-v`", "`autocannon v8.0.0` and the version of node", "version, features, build",
       "`autocannon v8.0.0` and the version of carronade"},
      {"report", "stderr", "stdout", "stderr"},
      {"header and progress", "stderr; the bar only on a terminal", "stderr, only on a terminal",
       "as autocannon"},
      {"latency", "whole milliseconds", "µs, ms or s by magnitude", "as autocannon"},
      {"`-r` beside `-R`", "`-R` is ignored", "refused, exit 1", "as autocannon"},
      {"`-M` beside `-r` or `-R`", "requests per connection",
       "refused, exit 1: a request leaves on any free connection", "likewise"},
      {"`-R` less than `-c`", "fewer connections", "all connections, the rate as asked for",
       "as autocannon"},
      {"`-f`: Ctrl-C", "the end, without a report", "the report of the round that it cut short",
       "likewise, exit 130"},
      {"`-f` with `-w`", "message, exit 1", "works", "as autocannon"},
      {"`-f` with `-j`", "prints nothing", "a line of JSON for each round", "as autocannon"},
      {"`-f` with `-W`", "no warm-up", "one warm-up before the first round", "as autocannon"},
      {"`-F` with `-b` or `-i`", "`-F` counts", "refused, exit 1", "as autocannon"},
      {"`-F` with `-H Content-Type`", "both are sent", "that of the form is sent", "as autocannon"},
      {"`-W` with `-j`", "two lines of JSON", "one, with the key `warmup`", "as autocannon"},
      {"body without Content-Type", "sent", "sent, with a warning on stderr", "as autocannon"},
  };
}

Rows exit_code_rows() {
  return {
      {"situation", "autocannon", "`carronade`", "strict form"},
      {"at least one response came", "0", "0", "0"},
      {"no response came", "0", "2", "0"},
      {"bad option, bad URL, bad header, unreadable file", "1", "1", "1"},
      {"a number out of range, `-a` below `-c`, unknown method", "message, 0",
       "message, 1 (`-a` below `-c` and any method are fine)", "as autocannon"},
      {"a value that is no number or time", "message or nonsense, 0", "message, 1", "message, 1"},
      {"no thread or no memory to be had", "message, 1", "message, 1", "message, 1"},
      {"`--dry-run` that finds no address for any URL", "–", "message, 1", "message, 1"},
      {"the report cannot be written (full disk, closed pipe)", "lost", "1, report on stderr", "1"},
      {"the verdict on the run is invalid, with `--strict`", "–", "3", "3"},
      {"a file of `--hdr` or `--hgrm` cannot be written", "–", "message, 1", "message, 1"},
      {"Ctrl-C", "no report, 130", "the report; 0 or 2 as above", "the report, 130"},
      {"Ctrl-C during the warm-up", "no report, 130",
       "the report of a run without requests, with the warm-up's beside it in `-j`; 2",
       "likewise, 130"},
      {"second Ctrl-C", "130", "at once, 130", "at once, 130"},
  };
}

Rows run_rows() {
  return {
      {"subject", "autocannon", "both forms of carronade"},
      {"refused connection", "tried again at once, a very large count of errors",
       "tried again with back-off"},
      {"keep-alive connection closed while idle", "the request is lost",
       "sent once more on a new connection, counted as retried"},
      {"end of a run", "on the next sample tick", "when the limit is reached"},
      {"latency in a pipeline", "one start time for the whole batch", "one for each request"},
      {"POST, PUT, PATCH without a body", "no Content-Length", "`Content-Length: 0`"},
      {"`< > { }` and the like in a URL's path", "percent-encoded", "sent as written"},
      {"HEAD, 204, 304, 1xx, trailers", "depends on the parser in use", "as RFC 9112 says"},
  };
}

std::string markdown(const std::string& title, const Rows& rows) {
  std::string out = "\n## " + title + "\n\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    std::string rule = "|";
    out += "|";
    for (const std::string& cell : rows[i]) {
      out += " " + cell + " |";
      rule += "---|";
    }
    out += "\n" + (i == 0 ? rule + "\n" : "");
  }
  return out;
}

Rows rate_rows() {
  return {
      {"subject", "autocannon 9", "both forms of carronade"},
      {"when requests leave", "one after the other from the beginning of each second, then none",
       "at equal distances, or as `--arrivals` says"},
      {"a server that does not answer", "its connections send nothing: a closed loop",
       "the schedule goes on: what finds no free connection waits, and the wait counts"},
      {"totals", "`-R` is taken once for each worker thread", "totals over all workers"},
      {"`-R 5 -c 10`", "5 connections", "5 per second on 10 connections (5 in the strict form)"},
      {"`-R` that does not divide by `-c`", "whole numbers per connection",
       "exact; fractions of a request per second in the plain form"},
      {"latency without `-C`", "\"corrected\": see above", "last byte − time due"},
      {"latency with `-C`", "last byte − send", "the same: the service time"},
      {"requests in flight at the end of the schedule", "cut off", "waited for, up to the timeout"},
  };
}

Rows har_rows() {
  return {
      {"subject", "autocannon", "`carronade`", "strict form"},
      {"several URLs", "each has the entries of its origin, in order, again and again", "the same",
       "as autocannon"},
      {"entries of other origins", "skipped with a warning", "the same", "as autocannon"},
      {"a URL that no entry is for", "requests to the URL itself", "refused, exit 1",
       "as autocannon"},
      {"Connection, Keep-Alive, TE, Upgrade … of an entry", "sent beside its own Connection",
       "left out: they belong to the recorded connection", "Connection is sent twice"},
      {"Host of an entry", "sent instead of the URL's", "the URL's, or that of `-H`",
       "as autocannon"},
      {"`:authority` and its kin (recorded HTTP/2)", "sent, which no server takes", "left out",
       "left out"},
      {"Transfer-Encoding of an entry", "sent before a body that is not chunked", "left out",
       "left out"},
      {"Content-Length of an entry", "in its place, with the body's length",
       "the last header, with the body's length", "as `carronade`"},
      {"the same header by `-H` and in an entry", "the entry's, unless the letter case differs",
       "the entry's", "as autocannon"},
      {"a header twice in an entry", "the last one", "both", "as autocannon"},
      {"fragment of an entry's URL", "sent", "left out", "as autocannon"},
      {"`-b`, `-i`, `-F`", "the body of entries without one, also of GET",
       "no effect, with a warning", "as autocannon"},
      {"body recorded as fields only", "not sent", "sent if it is a URL-encoded form, else refused",
       "as autocannon"},
      {"an error in the file", "a stack trace, exit 1", "one line with file and entry, exit 1",
       "the message alone, exit 1"},
  };
}

constexpr const char* kRates =
    R"(
## Rates

autocannon corrects latencies after the fact: for a latency of L it adds made-up samples of
L−i, L−2i and so on, with an expected interval i that is meant to be the time between two
requests. It computes i as ⌈1 / rate⌉ of a rate per second and takes the result for
milliseconds, so i is 1 ms for every rate. With `-R 10 -c 10` each connection sends once a
second, and an answer after 100 ms, which has delayed nothing, is recorded as a hundred
samples of 100, 99, … 1 ms. Under a rate its percentiles are therefore those of mostly made-up
samples.

carronade makes no sample up. Each request has a time at which it is due, and its latency
counts from there: as many samples as requests, and a stall shows in all requests that were
due in it. The figures of the two tools under a rate differ for this reason, also in the
strict form. With `-C` both report the service time, and agree as far as the server answers
alike to an even stream and to bursts.
)";

}  // namespace

std::string autocannon_compat_page() {
  Options options;
  return kOpening + cli::compat_table(carronade_flags(options)) +
         markdown("The command line as a whole", command_line_rows()) +
         markdown("HAR files", har_rows()) + markdown("Exit codes", exit_code_rows()) +
         markdown("The run", run_rows()) + kRates + markdown("Rates in detail", rate_rows());
}

}  // namespace carronade::dialects
