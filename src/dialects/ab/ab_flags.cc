#include "dialects/ab/ab_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <utility>

#include "base/text.h"
#include "cli/flag_setters.h"
#include "cli/getopt_flags.h"

namespace carronade::dialects::ab {
namespace {

using cli::ArgKind;
using cli::Flag;
using cli::FlagSetter;
using cli::FlagValue;

constexpr uint32_t kMostConcurrency = 200'000;
constexpr int64_t kMostSeconds = 3'000'000'000;
constexpr uint64_t kTimedRequests = 50'000;
constexpr size_t kMostCredentials = 765;  // ab's buffer of 1024 bytes, before base64

// A whole decimal number; ab would take "10x" for 10 and "x" for 0.
template <class T>
bool read_number(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// A number of `least` or more; the error is `message`.
template <class T>
FlagSetter number(T& option, T least, std::string message) {
  return [&option, least, message = std::move(message)](const FlagValue& value) -> Expected<void> {
    T read{};
    if (!read_number(value.text, read) || read < least) return unexpected(message);
    option = read;
    return {};
  };
}

FlagSetter timeout(AbOptions& options) {
  return [&options](const FlagValue& value) -> Expected<void> {
    int64_t seconds = 0;
    if (!read_number(value.text, seconds) || seconds < 1 || seconds > kMostSeconds) {
      return unexpected("Invalid timeout: seconds, at least 1");
    }
    options.timeout_s = seconds;
    return {};
  };
}

FlagSetter time_limit(AbOptions& options) {
  return [&options](const FlagValue& value) -> Expected<void> {
    int64_t seconds = 0;
    if (!read_number(value.text, seconds) || seconds < 0 || seconds > kMostSeconds) {
      return unexpected("Invalid timelimit");
    }
    options.time_limit_s = seconds > 0 ? std::optional(seconds) : std::nullopt;
    options.requests = kTimedRequests;
    return {};
  };
}

FlagSetter concurrency(AbOptions& options) {
  return [&options](const FlagValue& value) -> Expected<void> {
    int64_t read = 0;
    // 0 and what is too much are told with the usage, as ab does.
    if (!read_number(value.text, read)) return unexpected("Invalid Concurrency");
    const bool possible = read > 0 && read <= kMostConcurrency;
    options.concurrency = possible ? static_cast<uint32_t>(read) : 0;
    return {};
  };
}

// -p and -u.
FlagSetter body_of(AbOptions& options, std::string method) {
  return [&options, method = std::move(method)](const FlagValue& value) -> Expected<void> {
    if (!options.method.empty()) {
      return unexpected("Cannot mix " + method + " with other methods");
    }
    Expected<std::string> body = base::read_file(value.text);
    if (!body) {
      const std::string_view text = body.error().text;
      const size_t reason = text.rfind(": ");
      return unexpected(fmt::format("ab: Could not open POST data file ({}): {}", value.text,
                                    reason == text.npos ? text : text.substr(reason + 2)));
    }
    options.body = std::move(*body);
    options.method = method;
    return {};
  };
}

FlagSetter head_method(AbOptions& options) {
  return [&options](const FlagValue&) -> Expected<void> {
    if (!options.method.empty()) return unexpected("Cannot mix HEAD with other methods");
    options.method = "HEAD";
    return {};
  };
}

FlagSetter any_method(AbOptions& options) {
  return [&options](const FlagValue& value) -> Expected<void> {
    if (!base::is_token(value.text)) return unexpected("Invalid method name");
    options.method = value.text;
    return {};
  };
}

FlagSetter credentials(AbOptions& options, std::string field, std::string complaint) {
  return [&options, field = std::move(field),
          complaint = std::move(complaint)](const FlagValue& value) -> Expected<void> {
    std::string_view text = value.text;
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
    if (text.size() > kMostCredentials) return unexpected(complaint);
    options.authorization.push_back(field + ": Basic " + base::base64(text));
    return {};
  };
}

FlagSetter tls_protocol(AbOptions& options) {
  return [&options](const FlagValue& value) -> Expected<void> {
    const std::string wanted = base::to_lower(value.text);
    static constexpr std::pair<std::string_view, uint16_t> kVersions[] = {
        {"all", 0}, {"tls1.1", 0x0302}, {"tls1.2", 0x0303}, {"tls1.3", 0x0304}, {"tls1", 0x0301},
    };
    for (const auto& [name, version] : kVersions) {
      if (!wanted.starts_with(name)) continue;
      options.tls_version = version;
      return {};
    }
    return unexpected(
        fmt::format("ab: -f \"{}\": TLS1, TLS1.1, TLS1.2, TLS1.3 or ALL is possible", value.text));
  };
}

FlagSetter html_text(AbOptions& options, std::string& attributes) {
  return [&options, &attributes](const FlagValue& value) -> Expected<void> {
    options.html = true;
    attributes = value.text;
    return {};
  };
}

FlagSetter turn_off(bool& option) {
  return [&option](const FlagValue&) -> Expected<void> {
    option = false;
    return {};
  };
}

FlagSetter refuse(std::string text) {
  return [text = std::move(text)](const FlagValue&) -> Expected<void> { return unexpected(text); };
}

FlagSetter add_addresses(AbOptions& options) {
  return [&options](const FlagValue& value) -> Expected<void> {
    for (const std::string_view part : base::split(value.text, ',')) {
      options.local_addresses.emplace_back(base::trim(part));
    }
    return {};
  };
}

Flag with_value(char letter, std::string hint, std::string doc, FlagSetter set) {
  return {.letter = letter,
          .kind = ArgKind::kValue,
          .hint = std::move(hint),
          .section = "Options",
          .doc = std::move(doc),
          .set = std::move(set)};
}

Flag plain(char letter, std::string doc, FlagSetter set) {
  return {.letter = letter, .section = "Options", .doc = std::move(doc), .set = std::move(set)};
}

void add_load(cli::FlagTable& table, AbOptions& o) {
  table.push_back(with_value('n', "requests", "How many requests to make",
                             number<uint64_t>(o.requests, 1, "Invalid number of requests")));
  table.push_back(with_value('c', "concurrency", "How many of them at a time", concurrency(o)));
  table.push_back(with_value('t', "timelimit", "Seconds that the test may take; sets -n to 50000",
                             time_limit(o)));
  table.push_back(with_value('s', "timeout", "Seconds to wait for a response (30)", timeout(o)));
  table.push_back(with_value('b', "windowsize", "Size of the sockets' buffers, in bytes",
                             number<uint32_t>(o.socket_buffer_bytes, 0, "Invalid window size")));
  table.push_back(with_value('B', "address",
                             "Address that connections leave from; several with commas",
                             add_addresses(o)));
  table.push_back(with_value('o', "address", "The same (httpd trunk)", add_addresses(o)));
  table.push_back(with_value('W', "workers", "Threads; 0: one a processor (httpd trunk)",
                             number<uint32_t>(o.workers, 0, "Invalid number of workers")));
}

void add_request(cli::FlagTable& table, AbOptions& o) {
  table.push_back(
      with_value('p', "postfile", "File with the body to POST; see -T", body_of(o, "POST")));
  table.push_back(
      with_value('u', "putfile", "File with the body to PUT; see -T", body_of(o, "PUT")));
  table.push_back(with_value('T', "content-type", "Content-type of that body (text/plain)",
                             cli::set_text(o.content_type)));
  table.push_back(plain('i', "HEAD instead of GET", head_method(o)));
  table.push_back(with_value('m', "method", "Any other method", any_method(o)));
  table.push_back(with_value('H', "line", "Header line, as 'Name: value'; repeatable",
                             cli::add_text(o.headers)));
  table.push_back(with_value('C', "name=value", "Cookie; repeatable", cli::add_text(o.cookies)));
  table.push_back(
      with_value('A', "user:pass", "Basic authentication",
                 credentials(o, "Authorization", "Authentication credentials too long")));
  table.push_back(with_value('P', "user:pass", "Basic authentication at the proxy",
                             credentials(o, "Proxy-Authorization", "Proxy credentials too long")));
  table.push_back(with_value('X', "proxy:port", "Proxy to ask instead", cli::set_path(o.proxy)));
  table.push_back(plain('k', "Keep connections alive", cli::set_switch(o.keep_alive)));
}

void add_tls(cli::FlagTable& table, AbOptions& o) {
  table.push_back(
      plain('I', "No server name (SNI) in the TLS handshake", turn_off(o.server_name_indication)));
  table.push_back(with_value('Z', "ciphersuite", "TLS ciphers, as `openssl ciphers` names them",
                             cli::set_text(o.ciphers)));
  table.push_back(
      with_value('f', "protocol", "TLS1, TLS1.1, TLS1.2, TLS1.3 or ALL", tls_protocol(o)));
  table.push_back(with_value('E', "certfile", "Client certificate chain and key, PEM",
                             cli::set_path(o.certificate_file)));
}

void add_output(cli::FlagTable& table, AbOptions& o) {
  table.push_back(
      plain('r', "Go on after errors of a socket", cli::set_switch(o.go_on_after_errors)));
  table.push_back(plain('l', "Documents may differ in length", cli::set_switch(o.variable_length)));
  table.push_back(with_value('v', "verbosity", "1: errors, 2: heads and warnings, 3: status codes",
                             number<int>(o.verbosity, 0, "Invalid verbosity")));
  table.push_back(plain('w', "The report as an HTML table", cli::set_switch(o.html)));
  table.push_back(with_value('x', "attributes", "Attributes of its table; implies -w",
                             html_text(o, o.table_attributes)));
  table.push_back(with_value('y', "attributes", "Attributes of its tr; implies -w",
                             html_text(o, o.row_attributes)));
  table.push_back(with_value('z', "attributes", "Attributes of its td and th; implies -w",
                             html_text(o, o.cell_attributes)));
  table.push_back(plain('d', "No table of percentages", turn_off(o.percentiles)));
  table.push_back(plain('S', "No median, deviation and warnings", turn_off(o.confidence)));
  table.push_back(plain('q', "No progress, which else comes with more than 150 requests",
                        turn_off(o.progress)));
  table.push_back(plain('Q', "No banner (httpd trunk)", turn_off(o.banner)));
  table.push_back(with_value('g', "filename", "File for a line a request, for gnuplot",
                             cli::set_path(o.gnuplot_file)));
  table.push_back(
      with_value('e', "filename", "File for the percentages as CSV", cli::set_path(o.csv_file)));
  table.push_back(plain('V', "Version", cli::set_switch(o.version)));
  table.push_back(plain('h', "This text", cli::set_switch(o.help)));
}

// Known to httpd trunk, and refused with the reason.
void add_refused(cli::FlagTable& table) {
  Flag ramp = with_value('R', "rampdelay", "",
                         refuse("ab: -R (ramp-up) is not supported here: "
                                "carronade --stages ramps connections up"));
  Flag watchdog = plain('D', "", refuse("ab: -D (watchdog) is not supported: -s ends the test"));
  for (Flag* flag : {&ramp, &watchdog}) {
    flag->section.clear();
    flag->supported = false;
    table.push_back(std::move(*flag));
  }
}

}  // namespace

cli::FlagTable ab_flags(AbOptions& options) {
  cli::FlagTable table;
  table.push_back({.name = "quirks",
                   .section = "Options",
                   .doc = "First on the line: ab's own figures where carronade mends them",
                   .set = cli::set_switch(options.quirks)});
  add_load(table, options);
  add_request(table, options);
  add_tls(table, options);
  add_output(table, options);
  add_refused(table);
  return table;
}

Expected<AbWords> parse_ab(std::span<const std::string> args, AbOptions& options) {
  while (!args.empty() && args[0] == "--quirks") {
    options.quirks = true;
    args = args.subspan(1);
  }
  AbWords words;
  const cli::GetoptRules rules{.permute = false,
                               .long_options = false,
                               .program = "ab",
                               .on_unknown = [&words](const std::string& message) {
                                 if (words.misuse.empty()) words.misuse = message;
                               }};
  const Expected<cli::Operands> parsed = cli::parse_getopt(ab_flags(options), args, rules);
  if (!words.misuse.empty()) return words;
  if (!parsed) return unexpected(parsed.error());
  words.operands = parsed->words;
  words.operands.insert(words.operands.end(), parsed->after_dashes.begin(),
                        parsed->after_dashes.end());
  return words;
}

std::string ab_usage() {
  AbOptions unused;
  std::string text =
      "Usage: ab [options] [http[s]://]hostname[:port]/path\n"
      "Options are:\n";
  for (const Flag& flag : ab_flags(unused)) {
    if (flag.section.empty()) continue;
    const std::string name =
        flag.letter == 0 ? "--" + flag.name : fmt::format("-{} {}", flag.letter, flag.hint);
    text += fmt::format("    {:<16}{}{}\n", name, name.size() < 16 ? "" : " ", flag.doc);
  }
  return text;
}

}  // namespace carronade::dialects::ab
