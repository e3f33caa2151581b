#include "dialects/siege/siege_report.h"

#include <fmt/format.h>

#include <string_view>

#include "dialects/siege/siege_lines.h"
#include "report/result_json.h"

namespace carronade::dialects::siege {
namespace {

constexpr double kSecondNs = 1e9;
constexpr double kMegabyte = 1024.0 * 1024.0;
constexpr double kMsPerS = 1e3;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::string_view truth(bool value) { return value ? "true" : "false"; }

}  // namespace

SiegeFigures figures_of(const SiegeTally& tally, int64_t elapsed_ns, bool quirks) {
  SiegeFigures figures{.hits = tally.hits, .successful = tally.successful, .failed = tally.failed};
  const auto hits = static_cast<double>(tally.hits);
  const double times_s = static_cast<double>(tally.sum_ns) / kSecondNs;
  figures.availability = 100 * ratio(hits, hits + static_cast<double>(tally.failed));
  figures.elapsed_s = static_cast<double>(elapsed_ns) / kSecondNs;
  figures.megabytes = static_cast<double>(tally.bytes) / kMegabyte;
  figures.response_s = ratio(times_s, static_cast<double>(quirks ? tally.hits : tally.answers));
  figures.hits_per_s = ratio(hits, figures.elapsed_s);
  figures.megabytes_per_s = ratio(figures.megabytes, figures.elapsed_s);
  figures.concurrency = ratio(times_s, figures.elapsed_s);
  if (tally.answers > 0) {
    figures.longest_s = static_cast<double>(tally.longest_ns) / kSecondNs;
    figures.shortest_s = static_cast<double>(tally.shortest_ns) / kSecondNs;
  }
  return figures;
}

std::string text_report(const SiegeFigures& f, bool old_form) {
  const double unit = old_form ? 1 : kMsPerS;
  const std::string_view unit_name = old_form ? "secs" : "ms";
  const std::string_view extreme_unit = old_form ? "" : " ms";
  const auto count = [old_form](uint64_t number) {
    return old_form ? fmt::format("{:12}", number) : fmt::format("{:9}", number);
  };
  std::string text;
  text += fmt::format("Transactions:\t\t{} {}hits\n", count(f.hits), old_form ? "" : "   ");
  text += fmt::format("Availability:\t\t{:12.2f} %\n", f.availability);
  text += fmt::format("Elapsed time:\t\t{:12.2f} secs\n", f.elapsed_s);
  text += fmt::format("Data transferred:\t{:12.2f} MB\n", f.megabytes);
  text += fmt::format("Response time:\t\t{:12.2f} {}\n", f.response_s * unit, unit_name);
  text += fmt::format("Transaction rate:\t{:12.2f} trans/sec\n", f.hits_per_s);
  text += fmt::format("Throughput:\t\t{:12.2f} MB/sec\n", f.megabytes_per_s);
  text += fmt::format("Concurrency:\t\t{:12.2f}\n", f.concurrency);
  text += fmt::format("Successful transactions:{}\n", count(f.successful));
  text += fmt::format("Failed transactions:\t{}\n", count(f.failed));
  text += fmt::format("Longest transaction:\t{:12.2f}{}\n", f.longest_s * unit, extreme_unit);
  text += fmt::format("Shortest transaction:\t{:12.2f}{}\n", f.shortest_s * unit, extreme_unit);
  return text + " \n";
}

std::string json_report(const SiegeFigures& f) {
  std::string text = "{\n";
  text += fmt::format("\t\"transactions\":\t\t\t{:12},\n", f.hits);
  text += fmt::format("\t\"availability\":\t\t\t{:12.2f},\n", f.availability);
  text += fmt::format("\t\"elapsed_time\":\t\t\t{:12.2f},\n", f.elapsed_s);
  text += fmt::format("\t\"data_transferred\":\t\t{:12.2f},\n", f.megabytes);
  text += fmt::format("\t\"response_time\":\t\t{:12.2f},\n", f.response_s);
  text += fmt::format("\t\"transaction_rate\":\t\t{:12.2f},\n", f.hits_per_s);
  text += fmt::format("\t\"throughput\":\t\t\t{:12.2f},\n", f.megabytes_per_s);
  text += fmt::format("\t\"concurrency\":\t\t\t{:12.2f},\n", f.concurrency);
  text += fmt::format("\t\"successful_transactions\":\t{:12},\n", f.successful);
  text += fmt::format("\t\"failed_transactions\":\t\t{:12},\n", f.failed);
  text += fmt::format("\t\"longest_transaction\":\t\t{:12.2f},\n", f.longest_s);
  text += fmt::format("\t\"shortest_transaction\":\t\t{:12.2f}\n", f.shortest_s);
  return text + "}\n";
}

std::string log_heading() {
  return "      Date & Time,  Trans,  Elap Time,  Data Trans,  Resp Time,  Trans Rate,  "
         "Throughput,  Concurrent,    OKAY,   Failed\n";
}

std::string log_mark(const std::string& mark) { return fmt::format("**** {} ****\n", mark); }

std::string log_line(const SiegeFigures& f, int64_t unix_s) {
  return fmt::format("{},{:7},{:11.2f},{:12},{:11.2f},{:12.2f},{:12.2f},{:12.2f},{:8},{:8}\n",
                     local_time(unix_s), f.hits, f.elapsed_s, static_cast<uint64_t>(f.megabytes),
                     f.response_s, f.hits_per_s, f.megabytes_per_s, f.concurrency, f.successful,
                     f.failed);
}

std::string version_text() {
  return fmt::format("SIEGE {}\n\nspoken by carronade {}\n", kSiegeVersion, report::version());
}

std::string help_text() {
  return "Usage: siege [options]\n"
         "       siege [options] URL\n"
         "       siege -g URL\n"
         "Options:\n"
         "  -V, --version             VERSION, shows which siege is spoken.\n"
         "  -h, --help                HELP, shows this.\n"
         "  -C, --config              CONFIGURATION, shows the settings in effect.\n"
         "  -v, --verbose             VERBOSE, a line for each hit.\n"
         "  -q, --quiet               QUIET, neither lines nor the text report.\n"
         "  -g, --get                 GET, one request: shows the heads of both sides.\n"
         "  -p, --print               PRINT, one request: shows the page.\n"
         "  -c, --concurrent=NUM      CONCURRENT users, default is 25.\n"
         "  -r, --reps=NUM            REPS, URLs that each user requests, or \"once\"\n"
         "                            for each user once through the list.\n"
         "  -t, --time=NUMm           TIME to run, m is S, M or H: --time=1H.\n"
         "  -d, --delay=NUM           DELAY, the most seconds that a user waits behind\n"
         "                            a page; no part of any time.\n"
         "  -b, --benchmark           BENCHMARK: no delays.\n"
         "  -i, --internet            INTERNET, URLs of the list at random.\n"
         "  -f, --file=FILE           FILE with the list of URLs.\n"
         "  -R, --rc=FILE             RC, the configuration file to read.\n"
         "  -l, --log[=FILE]          LOG, a line for the run at the end of FILE,\n"
         "                            default is /var/log/siege.log.\n"
         "  -m, --mark=\"text\"         MARK, a line of text in the log.\n"
         "  -H, --header=\"text\"       HEADER of all requests, \"Name: value\"; can be many.\n"
         "  -A, --user-agent=\"text\"   AGENT, the User-Agent of all requests.\n"
         "  -T, --content-type=\"text\" TYPE, the Content-Type of bodies.\n"
         "  -j, --json-output         JSON, the report as JSON on standard output.\n"
         "      --no-parser           NO PARSER, leaves out what pages show.\n"
         "      --no-follow           NO FOLLOW, leaves redirects alone.\n"
         "  -D, --debug               DEBUG, one exchange and the errors, on standard error.\n"
         "\n"
         "Not of siege:\n"
         "      --old-report          the report of siege up to 4.1.6, in seconds.\n"
         "      --seed=NUM            of -i and -d; the same seed, the same choices.\n"
         "      --quirks              what is mended here as it was; docs/compat/siege.md.\n"
         "\n";
}

std::string banner(uint32_t users) {
  return fmt::format(
      "** SIEGE {}\n** Preparing {} concurrent users for battle.\n"
      "The server is now under siege...\n",
      kSiegeVersion, users);
}

std::string configuration_text(const SiegeSettings& s) {
  std::string text = "CURRENT  SIEGE  CONFIGURATION\n" + user_agent_of(s) +
                     "\nEdit the resource file to change the settings.\n" + std::string(46, '-') +
                     "\n";
  const auto row = [&text](std::string_view name, const auto& value) {
    text += fmt::format("{:<32}{}\n", std::string(name) + ":", value);
  };
  row("version", kSiegeVersion);
  row("verbose", truth(s.verbose));
  row("color", truth(s.colour));
  row("quiet", truth(s.quiet));
  row("debug", truth(s.debug));
  row("protocol", s.protocol);
  row("HTML parser", s.parser ? "enabled" : "disabled");
  row("get method", s.get_method);
  row("connection", s.keep_alive ? "keep-alive" : "close");
  row("concurrent users", s.concurrent < 1 ? 1 : s.concurrent);
  row("time to run",
      s.time_ns ? fmt::format("{} seconds", *s.time_ns / 1'000'000'000) : std::string("n/a"));
  row("repetitions", s.once   ? std::string("once")
                     : s.reps ? std::to_string(*s.reps)
                              : std::string("n/a"));
  row("socket timeout", fmt::format("{}", s.timeout_s));
  row("cache enabled", truth(s.cache));
  row("accept-encoding", s.accept_encoding);
  row("delay", fmt::format("{:.3f} sec", s.delay_s));
  row("internet simulation", truth(s.internet));
  row("benchmark mode", truth(s.benchmark));
  row("failures until abort", s.failures);
  row("named URL", s.url.empty() ? "none" : s.url);
  row("URLs file", s.file);
  row("thread limit", s.limit);
  row("logging", truth(s.logging));
  row("log file", s.logfile);
  row("resource file", s.config_file.empty() ? "none: siege's own template" : s.config_file);
  row("timestamped output", truth(s.timestamp));
  row("comma separated output", truth(s.csv));
  row("allow redirects", truth(s.follow));
  row("allow zero byte data", truth(s.zero_data_ok));
  row("allow chunked encoding", truth(s.chunked));
  row("upload unique files", truth(s.unique));
  row("json output", truth(s.json));
  text += "no-follow:\n";
  for (const std::string& host : s.no_follow_hosts) text += " - " + host + "\n";
  row("proxy auth", s.proxy_logins.empty() ? "" : "set");
  row("www auth", s.logins.empty() ? "" : "set");
  return text;
}

}  // namespace carronade::dialects::siege
