#include <charconv>
#include <functional>
#include <limits>
#include <optional>

#include "base/text.h"
#include "cli/flag_setters.h"
#include "cli/go_flags.h"
#include "dialects/vegeta/vegeta_attack_options.h"
#include "dialects/vegeta/vegeta_go_duration.h"

namespace carronade::dialects::vegeta {
namespace {

using cli::ArgKind;
using cli::Flag;
using cli::FlagSetter;
using cli::FlagTable;
using cli::FlagValue;
using cli::go_quoted;
using cli::invalid_go_value;

constexpr std::string_view kNumberFault = "invalid syntax";

std::string number_fault(std::string_view function, std::string_view text, std::string_view why) {
  return std::string(function) + ": parsing " + go_quoted(text) + ": " + std::string(why);
}

// Durations of Go's own flags: whatever is wrong is a parse error.
FlagSetter set_duration(std::string flag, int64_t& option_ns) {
  return [flag = std::move(flag), &option_ns](const FlagValue& value) -> Expected<void> {
    const Expected<int64_t> ns = parse_go_duration(value.text);
    if (!ns) return unexpected(invalid_go_value(value.text, flag));
    option_ns = *ns;
    return {};
  };
}

FlagSetter set_count(std::string flag, uint64_t& option) {
  return [flag = std::move(flag), &option](const FlagValue& value) -> Expected<void> {
    const std::string& text = value.text;
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::result_out_of_range) {
      return unexpected(invalid_go_value(text, flag, "value out of range"));
    }
    if (error != std::errc() || end != text.data() + text.size()) {
      return unexpected(invalid_go_value(text, flag));
    }
    option = number;
    return {};
  };
}

// "100", "100/1s", "5/m", "1000/500ms"; "infinity".
FlagSetter set_rate(AttackOptions& o) {
  return [&o](const FlagValue& value) -> Expected<void> {
    if (value.text == "infinity") {
      if (!o.quirks) o.rate_count = 0;
      return {};
    }
    const size_t slash = value.text.find('/');
    const std::string_view text = value.text;
    std::string_view count = text.substr(0, slash);
    if (count.starts_with('+')) count.remove_prefix(1);
    int64_t number = 0;
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), number);
    if (error != std::errc() || end != count.data() + count.size()) {
      const bool range = error == std::errc::result_out_of_range;
      return unexpected(
          invalid_go_value(text, "rate",
                           number_fault("strconv.Atoi", text.substr(0, slash),
                                        range ? "value out of range" : kNumberFault)));
    }
    o.rate_count = number;
    if (number == 0) return {};
    std::string per(slash == std::string_view::npos ? "1s" : text.substr(slash + 1));
    const bool bare_unit = !per.empty() && (per[0] < '0' || per[0] > '9') && per[0] != '.' &&
                           per[0] != '-' && per[0] != '+';
    const Expected<int64_t> per_ns = parse_go_duration(bare_unit ? "1" + per : per);
    if (!per_ns) return unexpected(invalid_go_value(text, "rate", per_ns.error().text));
    if (*per_ns <= 0 || number < 0) {
      return unexpected(invalid_go_value(text, "rate", "both parts must be greater than zero"));
    }
    o.rate_per_ns = *per_ns;
    return {};
  };
}

// "-1", "10 MB", "1tB", "28 kilobytes": powers of 1024.
Expected<int64_t> parse_size(std::string_view text) {
  if (text == "-1") return AttackOptions::kWholeBody;
  const auto fault = [&](std::string_view why) {
    return unexpected(number_fault("UnmarshalText", text, why));
  };
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) return fault("value out of range");
  if (error != std::errc()) return fault(kNumberFault);
  const std::string_view unit = base::trim(text.substr(static_cast<size_t>(end - text.data())));
  constexpr std::string_view kLetters = "kmgtpe";
  constexpr std::string_view kNames[] = {"kilo", "mega", "giga", "tera", "peta", "exa"};
  if (unit.size() == 2 && unit[1] == 'b' &&
      std::string_view("KMGTPE").find(unit[0]) != kLetters.npos) {
    return fault("unit prefix is ambiguous between bits and bytes");
  }
  const std::string lower = base::to_lower(unit);
  int power = -1;
  if (lower.empty() || lower == "b" || lower == "byte") power = 0;
  for (size_t i = 0; i < kLetters.size() && power < 0; ++i) {
    const std::string name(kNames[i]);
    const std::string letter(1, kLetters[i]);
    if (lower == letter || lower == letter + "b" || lower == name || lower == name + "byte" ||
        lower == name + "bytes") {
      power = static_cast<int>(i) + 1;
    }
  }
  if (power < 0) return fault(kNumberFault);
  for (int i = 0; i < power; ++i) {
    if (number > uint64_t{INT64_MAX} / 1024) return fault("value out of range");
    number *= 1024;
  }
  if (number > uint64_t{INT64_MAX}) return fault("value out of range");
  return static_cast<int64_t>(number);
}

FlagSetter set_max_body(int64_t& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    const Expected<int64_t> size = parse_size(value.text);
    if (!size) return unexpected(invalid_go_value(value.text, "max-body", size.error().text));
    option = *size;
    return {};
  };
}

FlagSetter add_header(std::string flag, std::vector<Header>& headers) {
  return [flag = std::move(flag), &headers](const FlagValue& value) -> Expected<void> {
    const std::string_view text = value.text;
    const size_t colon = text.find(':');
    const std::string_view name = base::trim(text.substr(0, colon));
    const std::string_view content =
        colon == std::string_view::npos ? "" : base::trim(text.substr(colon + 1));
    if (name.empty() || content.empty()) {
      return unexpected(
          invalid_go_value(text, flag, "header '" + value.text + "' has a wrong format"));
    }
    if (!base::is_token(name) ||
        content.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos) {
      return unexpected(invalid_go_value(text, flag, "it can not stand in a request"));
    }
    headers.push_back({std::string(name), std::string(content)});
    return {};
  };
}

FlagSetter set_dns_ttl(int64_t& option_ns) {
  return [&option_ns](const FlagValue& value) -> Expected<void> {
    if (value.text == "-1") {
      option_ns = -1;
      return {};
    }
    const Expected<int64_t> ns = parse_go_duration(value.text);
    if (!ns) return unexpected(invalid_go_value(value.text, "dns-ttl", ns.error().text));
    option_ns = *ns;
    return {};
  };
}

FlagSetter add_connect_to(std::vector<std::pair<std::string, std::string>>& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    const std::vector<std::string_view> parts = base::split(value.text, ':');
    if (parts.size() != 4) {
      return unexpected(invalid_go_value(
          value.text, "connect-to",
          "invalid -connect-to " + go_quoted(value.text) + ", expected format: src:port:dst:port"));
    }
    const auto address = [&](size_t at) {
      return std::string(parts[at]) + ":" + std::string(parts[at + 1]);
    };
    option.emplace_back(address(0), address(2));
    return {};
  };
}

FlagSetter set_list(std::vector<std::string>& option) {
  return [&option](const FlagValue& value) -> Expected<void> {
    option.clear();
    for (const std::string_view part : base::split(value.text, ',')) option.emplace_back(part);
    return {};
  };
}

Flag text_flag(std::string name, std::string doc, std::string& option, std::string compat,
               std::string default_text = "") {
  return {.name = std::move(name),
          .kind = ArgKind::kValue,
          .hint = "string",
          .doc = std::move(doc),
          .default_text = std::move(default_text),
          .compat = std::move(compat),
          .set = cli::set_text(option)};
}

Flag switch_flag(std::string name, std::string doc, bool& option, std::string compat,
                 std::string default_text = "") {
  return {.name = std::move(name),
          .doc = std::move(doc),
          .default_text = std::move(default_text),
          .compat = std::move(compat),
          .set = cli::set_switch(option)};
}

Flag value_flag(std::string name, std::string hint, std::string doc, std::string default_text,
                std::string compat, FlagSetter set) {
  return {.name = std::move(name),
          .kind = ArgKind::kValue,
          .hint = std::move(hint),
          .doc = std::move(doc),
          .default_text = std::move(default_text),
          .compat = std::move(compat),
          .set = std::move(set)};
}

FlagTable load_rows(AttackOptions& o) {
  return {
      value_flag("connections", "int", "Connections to a host that may stay open without a request",
                 "10000",
                 "different: idle connections stay open, whatever the number; only a negative one "
                 "has the effect that it has there: each request has a connection of its own",
                 cli::set_go_int("connections", o.idle_connections)),
      value_flag("duration", "duration", "How long to attack; 0: until it is stopped", "", "same",
                 set_duration("duration", o.duration_ns)),
      switch_flag("keepalive", "Send further requests on a connection that is open", o.keep_alive,
                  "same", "true"),
      switch_flag("lazy", "Read the targets while the attack goes on, each is used once", o.lazy,
                  "better: a reader ahead of the attack; the end of the targets is no failed "
                  "request (`-quirks`: it is)"),
      value_flag("max-connections", "int", "Most connections to a host; 0: no limit", "",
                 "different: the limit times the number of hosts, for all of them together",
                 cli::set_go_int("max-connections", o.max_connections)),
      value_flag("max-workers", "uint", "Most requests open at once", "18446744073709551615",
                 "better: most requests open at once; what is due meanwhile waits, and its wait "
                 "counts (`-quirks`: it does not)",
                 set_count("max-workers", o.max_workers)),
      value_flag("rate", "value",
                 "Requests per time, as 100, 5/m or 1000/500ms; 0: as fast as possible", "50/1s",
                 "better: a schedule that a slow server does not shift; `infinity` is 0 "
                 "(`-quirks`: it is ignored)",
                 set_rate(o)),
      value_flag("timeout", "duration", "How long a request may take; 0: no limit", "30s",
                 "different: from the first byte sent on; making the connection has as long",
                 set_duration("timeout", o.timeout_ns)),
      value_flag("workers", "uint", "Requests open at once that are reckoned with", "10",
                 "same: connections are made when a request needs one",
                 set_count("workers", o.workers)),
  };
}

FlagTable request_rows(AttackOptions& o) {
  return {
      text_flag("body", "File with the body of targets that have none", o.body_file, "same"),
      switch_flag("chunked", "Send bodies in a chunk instead of with their length", o.chunked,
                  "same"),
      text_flag("format", "How the targets are written: http or json", o.format,
                "better: errors name the line", "\"http\""),
      value_flag("header", "value", "Header of every request, \"Name: value\"; may be repeated", "",
                 "same", add_header("header", o.headers)),
      value_flag("max-body", "value", "Bytes of an answer's body that go into its result; -1: all",
                 "-1", "better: bytes_in is that of the whole body all the same",
                 set_max_body(o.max_body)),
      text_flag("name", "Name of the attack in results and in X-Vegeta-Attack", o.name, "same"),
      text_flag("output", "File that the results go to", o.output_file, "same", "\"stdout\""),
      value_flag("redirects", "int",
                 "Number of redirects to follow. -1 will not follow but marks as success", "10",
                 "different: only to hosts of the targets; one that leads elsewhere is an error",
                 cli::set_go_int("redirects", o.redirects)),
      text_flag("targets", "File with the targets", o.targets_file, "same", "\"stdin\""),
  };
}

FlagTable network_rows(AttackOptions& o) {
  return {
      text_flag("cert", "Client certificate for TLS, PEM", o.certificate_file, "same"),
      value_flag(
          "connect-to", "value",
          "Connect elsewhere, SRC:PORT:DST:PORT; may be repeated, several of one source take turns",
          "", "same", add_connect_to(o.connect_to)),
      value_flag("dns-ttl", "value",
                 "How long an address that was looked up holds; 0: for ever, -1: not at all", "0s",
                 "different: names are looked up once, before the attack; other values than 0 are "
                 "accepted, and a warning says so",
                 set_dns_ttl(o.dns_ttl_ns)),
      switch_flag("h2c", "HTTP/2 without TLS", o.h2c, "different: refused until HTTP/2 is there"),
      switch_flag("http2", "HTTP/2 with servers that offer it", o.http2,
                  "different: HTTP/1.1 with every server until HTTP/2 is there", "true"),
      switch_flag("insecure", "Take any certificate from servers", o.insecure, "same"),
      text_flag("key", "Its key, PEM; by default looked for in the certificate's file", o.key_file,
                "same"),
      value_flag("laddr", "value", "Address that connections leave from", "0.0.0.0", "same",
                 cli::set_text(o.local_address)),
      text_flag("prometheus-addr", "Address to offer metrics at for Prometheus, HOST:PORT",
                o.prometheus_address, "different: refused"),
      value_flag("proxy-header", "value", "Header for the proxy's CONNECT; may be repeated", "",
                 "same", add_header("proxy-header", o.proxy_headers)),
      value_flag("resolvers", "value",
                 "Name servers to ask instead of the system's, IP or IP:PORT, separated by commas",
                 "", "different: refused", set_list(o.resolvers)),
      value_flag("root-certs", "value", "Files of certificates to trust, PEM, separated by commas",
                 "", "same", set_list(o.root_certificates)),
      switch_flag("session-tickets", "Resume TLS sessions on further connections",
                  o.session_tickets, "same"),
      text_flag("unix-socket", "Unix socket to connect to, whatever the targets' hosts",
                o.unix_socket, "same"),
  };
}

}  // namespace

FlagTable attack_flags(AttackOptions& options) {
  FlagTable table = load_rows(options);
  for (FlagTable rows : {request_rows(options), network_rows(options)}) {
    for (Flag& row : rows) table.push_back(std::move(row));
  }
  table.push_back({.name = "quirks",
                   .doc = "As vegeta measures: no wait of requests beyond -max-workers, a failed "
                          "request at the end of -lazy targets",
                   .compat = "new",
                   .set = cli::set_switch(options.quirks)});
  for (const char* name : {"h", "help"}) {
    table.push_back({.name = name, .set = cli::set_switch(options.help)});
  }
  return table;
}

}  // namespace carronade::dialects::vegeta
