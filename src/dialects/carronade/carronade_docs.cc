#include "dialects/carronade/carronade_docs.h"

#include "cli/flag_docs.h"
#include "dialects/carronade/carronade_flags.h"
#include "report/result_json.h"

namespace carronade::dialects {
namespace {

cli::PageFacts page_facts(Form form) {
  const std::string program = form == Form::kStrict ? "autocannon" : "carronade";
  cli::PageFacts facts;
  facts.program = program;
  facts.version = std::string(report::version());
  facts.summary = "fire HTTP/1.1 requests at a server and account for every one";
  facts.usage = {program + " [options] URL…"};
  if (form == Form::kPlain) {
    facts.usage.insert(facts.usage.end(), {"carronade autocannon [options] URL…",
                                           "carronade ab|gobench|loadtest|siege|vegeta|wrk|wrk2 …",
                                           "carronade serve [options]",
                                           "carronade testserver-loadtest [options] [PORT]"});
  }
  return facts;
}

}  // namespace

std::string carronade_help(Form form) {
  Options options;
  cli::PageFacts facts = page_facts(form);
  if (form == Form::kPlain) {
    facts.opening = {
        "Fires HTTP/1.1 requests at a server and accounts for every one. With the word autocannon "
        "it prints autocannon's text with its exit codes; with ab, gobench, loadtest, siege, "
        "vegeta, wrk or wrk2 it takes that tool's own options and files and prints its report; "
        "serve starts a test server, testserver-loadtest one as loadtest's."};
  }
  if (form == Form::kPlain) {
    facts.opening.emplace_back(
        "With ws:// and wss:// URLs it measures round trips: a message (-b), and the next one that "
        "the server sends.");
  }
  facts.opening.emplace_back(
      "Numbers take units: 10k, 1M; times too: 250ms, 10s, 1m30s. Options may follow the URL. With "
      "PORT in the environment the URL may be a path on localhost.");
  return cli::help_text(carronade_flags(options), facts);
}

std::string carronade_man() {
  Options options;
  cli::PageFacts facts = page_facts(Form::kPlain);
  facts.opening = {
      "carronade keeps a number of connections busy with HTTP/1.1 requests until a duration, an "
      "amount or another limit is reached, and reports latency, rates, status codes and errors. "
      "Every request that was sent is accounted for: as a response, an error, a timeout, or as "
      "in flight at the end.",
      "With a rate (--rate and what stands below it) requests are due by a schedule instead, "
      "whatever "
      "the server does, and latency counts from the time due. The report then tells how many were "
      "planned, sent and dropped, how late they left and why, and whether the run can be believed.",
      "With ws:// and wss:// URLs a connection is a WebSocket. A round trip takes the place of a "
      "request: the message of -b or -i is sent, and the server's next message is its answer; -p "
      "says how many are in flight on a connection. The headers of -H go with the handshake. At "
      "the end each connection is closed with a close frame. The report tells of handshakes, "
      "messages that nobody asked for, pings and close codes beside the round trips.",
      "Options may stand before and after the URLs. Letters may be bundled (-lj) and values may "
      "follow with or without a space or an equals sign. Numbers take k, M and G, times take ns, "
      "us, ms, s, m, h, d and w.",
      "A URL without a scheme gets http://. With PORT in the environment, a URL that begins with "
      "/ goes to http://localhost:PORT.",
      "With the name of another tool as the first word, or called by it (make install-links), "
      "carronade takes that tool's own options and files and prints its own report: ab, "
      "autocannon, gobench, loadtest, siege, vegeta, wrk, wrk2. What differs from the tool is told "
      "in "
      "docs/compat."};
  facts.closing = {
      {"Signals",
       {"The first SIGINT or SIGTERM ends the run and the report is printed; the second one quits "
        "at once."}},
      {"Exit status",
       {"0: at least one response came. 1: bad usage or set-up, or the report could not be "
        "written. 2: the run took place and no response came. 3: with --strict, the verdict on the "
        "run is invalid."}},
      {"Examples",
       {"Fifty connections for ten seconds:", " carronade -c 50 -d 10 http://127.0.0.1:7357/",
        "Two thousand requests a second for a minute, as independent users come:",
        " carronade --rate 2000 --arrivals poisson -c 50 -d 1m http://127.0.0.1:7357/",
        "A thousand POST requests from a file, as JSON:",
        " carronade -a 1k -m POST -i body.json -H 'Content-Type: application/json' -j "
        "http://localhost/",
        "A hundred users of a file, one for each request, with the body filled in:",
        " carronade --data users.csv --data-mode once -m POST -H 'Content-Type: application/json' "
        "-b '{\"name\": \"{{csv.name}}\", \"id\": \"{{uuid}}\"}' -a 100 http://localhost/users",
        "Round trips of a WebSocket, four at once on each connection:",
        " carronade -p 4 -b '{\"ping\": 1}' ws://localhost:7357/",
        "What a browser did, as it exported it:", " carronade --har page.har http://localhost/",
        "A server that lives as long as the run:", " carronade --on-port /path -- node server.js"}},
      {"See also",
       {"docs/compat/autocannon.md tells how this command line differs from autocannon's, "
        "docs/compat/seven_dialects.md how the same load is spelled in each tool's own."}}};
  return cli::man_page(carronade_flags(options), facts);
}

}  // namespace carronade::dialects
