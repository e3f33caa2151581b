#include "dialects/carronade/carronade_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "base/units.h"
#include "dialects/carronade/carronade_rate.h"
#include "dialects/carronade/carronade_targets.h"
#include "dialects/carronade/connection_options.h"
#include "dialects/carronade/request_files.h"
#include "dialects/carronade/tls_options.h"

namespace carronade::dialects {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kHour = 3600 * kSecond;
constexpr int64_t kDefaultConnections = 10;
constexpr int64_t kDefaultDuration = 10 * kSecond;
constexpr int64_t kPipeliningMax = 10'000;
constexpr int64_t kWorkersMax = 1'024;

SpecResult at_least(const std::optional<int64_t>& number, int64_t least, const char* label) {
  if (!number || *number >= least) return {};
  return refusal(fmt::format("{} can not be less than {}", label, least));
}

SpecResult at_most(const std::optional<int64_t>& number, int64_t most, const char* label) {
  if (!number || *number <= most) return {};
  return fault(fmt::format("{} can not be more than {}", label,
                           base::format_thousands(static_cast<uint64_t>(most))));
}

// In autocannon's order, so that of two faults the same one is named.
SpecResult check_numbers(const Options& o, Form form) {
  const bool strict = form == Form::kStrict;
  SpecResult done = at_least(o.bailout, 1, "bailout threshold");
  if (done) done = check_strict_rate(o, form);
  if (done) done = at_least(o.amount, 1, "amount");
  if (done) done = at_least(o.max_connection_requests, 1, "maxConnectionRequests");
  if (done) done = at_least(o.max_overall_requests, 1, "maxOverallRequests");
  if (done) done = at_least(o.duration_ns, 0, "duration");
  if (done && !strict && o.duration_ns == 0) done = fault("duration must be greater than 0");
  if (done) done = at_least(o.sample_interval_ns, 0, "sample interval");
  const int64_t sample_ns = o.sample_interval_ns.value_or(kSecond);
  if (done && ((!strict && sample_ns < kMillisecond) || sample_ns > kHour)) {
    done = fault("sample interval must be between 1ms and 1h");
  }
  if (done) done = at_least(o.connections, 1, "connections");
  if (done) done = at_most(o.connections, int64_t{base::kMostConnections}, "connections");
  if (done) done = at_least(o.pipelining, 1, "pipelining factor");
  if (done) done = at_most(o.pipelining, kPipeliningMax, "pipelining factor");
  if (done && o.timeout_ns && *o.timeout_ns <= 0) done = refusal("timeout must be greater than 0");
  if (done) done = at_least(o.reconnect_rate, 0, "reconnectRate");
  if (done) done = at_least(o.workers, 0, "workers");
  if (done) done = at_most(o.workers, kWorkersMax, "workers");
  if (done && strict && o.amount && o.connections.value_or(kDefaultConnections) > *o.amount) {
    done = refusal("connections cannot be greater than amount");
  }
  return done ? check_rate(o, form) : done;
}

void set_limits(const Options& o, Form form, RunSpec& spec, ReportFacts& facts) {
  const auto count = [](const std::optional<int64_t>& number) -> std::optional<uint64_t> {
    if (!number) return std::nullopt;
    return static_cast<uint64_t>(*number);
  };
  spec.amount = count(o.amount);
  spec.max_connection_requests = count(o.max_connection_requests);
  spec.bailout = count(o.bailout);
  spec.reconnect_after = static_cast<uint64_t>(o.reconnect_rate.value_or(0));
  // A shape of load ends by itself, whatever the amount.
  const LoadOption* load = chosen_load(o, form);
  const std::optional<int64_t> length_ns = load ? load_length_ns(*load) : std::nullopt;
  int64_t duration_ns = o.duration_ns.value_or(length_ns.value_or(kDefaultDuration));
  facts.duration_s = static_cast<double>(duration_ns) / 1e9;
  // autocannon looks at its clock when a sample ends: no duration is one sample.
  if (duration_ns == 0) duration_ns = spec.sample_interval_ns;
  const bool second_limit = form == Form::kPlain && o.duration_ns.has_value();
  if (!o.amount || second_limit || length_ns) spec.duration_ns = duration_ns;
  if (!o.amount && !o.max_connection_requests) spec.amount = count(o.max_overall_requests);

  facts.amount = count(o.amount);
}

// Connections, and a rate if there is one. After set_limits.
void set_load(const Options& o, Form form, RunPart& part) {
  RunSpec& spec = part.spec;
  ReportFacts& facts = part.facts;
  const auto asked = static_cast<uint32_t>(o.connections.value_or(kDefaultConnections));
  LoadPlan load = plan_load(o, form, asked, spec.duration_ns);
  spec.connections = load.connections;
  spec.rate = std::move(load.rate);
  spec.connection_stages = std::move(load.connection_stages);
  spec.find_warmup = o.find_warmup;

  facts.connections = spec.connections;
  facts.changing_connections = !spec.connection_stages.empty();
  facts.load = std::move(load.text);
  if (!spec.rate) return;
  facts.max_connections = spec.rate->max_connections;
  facts.arrivals = arrivals_text(*spec.rate);
  facts.random_arrivals =
      spec.rate->arrivals == Arrivals::kPoisson || spec.rate->arrivals == Arrivals::kJitter;
}

void set_numbers(const Options& o, Form form, RunPart& part, std::vector<std::string>& warnings) {
  RunSpec& spec = part.spec;
  const int64_t sample_ns = o.sample_interval_ns.value_or(spec.sample_interval_ns);
  spec.sample_interval_ns = std::max(sample_ns, kMillisecond);
  set_limits(o, form, spec, part.facts);
  set_load(o, form, part);
  spec.pipelining = static_cast<uint32_t>(o.pipelining.value_or(1));
  const auto asked = static_cast<uint32_t>(o.workers.value_or(0));
  spec.workers = std::clamp<uint32_t>(asked, 1, spec.connections);
  if (spec.workers < asked) {
    warnings.push_back(
        fmt::format("workers reduced from {} to {}, one for each connection", asked, spec.workers));
  }
  spec.timeout_ns = o.timeout_ns.value_or(spec.timeout_ns);

  part.facts.pipelining = spec.pipelining;
  part.facts.workers = asked == 0 ? 0 : spec.workers;
}

// Ids, templates and the rows that fill them.
SpecResult set_placeholders(const Options& o, RunSpec& spec) {
  if (o.data_mode && o.data_file.empty()) {
    return fault("--data-mode has no effect without data: add --data FILE");
  }
  if (o.seed && *o.seed < 0) return fault("seed can not be less than 0");
  spec.ids = o.ids;
  spec.templates = o.templates || !o.data_file.empty();
  if (!o.data_file.empty()) {
    spec.data = DataSpec{o.data_file, o.data_mode.value_or(DataMode::kSequence)};
  }
  if (o.seed) spec.template_seed = static_cast<uint64_t>(*o.seed);
  return {};
}

ReportFacts report_facts(const Options& o, Form form) {
  ReportFacts facts;
  facts.strict = form == Form::kStrict;
  facts.socket_path = o.socket_path;
  facts.title = o.title;
  facts.latency_table = o.latency_table || o.uncorrected;
  facts.uncorrected = o.uncorrected;
  facts.service_time = o.ignore_coordinated_omission;
  facts.status_codes = o.status_codes;
  facts.verbose = o.verbose;
  return facts;
}

// What the words around a run say beside it.
struct Surroundings {
  const std::vector<std::string>& urls;
  const std::optional<std::string>& port;
  Form form;
};

tl::expected<RunPart, SpecError> make_part(const Options& o, RequestFiles files,
                                           const Surroundings& around, Job& job) {
  RunPart part;
  const Form form = around.form;
  part.facts = report_facts(o, form);
  auto list = make_targets(o, std::move(files), around.urls, around.port, form);
  if (!list) return tl::unexpected(list.error());
  part.spec.targets = std::move(list->targets);
  part.facts.urls = std::move(list->urls);
  job.skipped = std::move(list->skipped);
  part.facts.websocket = !part.spec.targets.empty() && part.spec.targets.front().url.websocket;
  SpecResult done = set_proxy(o, part.spec);
  if (done) done = set_tls(o, form, part.spec.tls);
  if (done) done = check_numbers(o, form);
  if (done) done = set_placeholders(o, part.spec);
  if (!done) return tl::unexpected(done.error());
  const Expected<void> method = check_method(o.method.value_or("GET"), form);
  if (!method) return refusal(method.error().text);
  set_numbers(o, form, part, job.warnings);
  part.spec.unix_socket = o.socket_path;
  part.spec.local_addresses = o.local_addresses;
  part.spec.expect_body = o.expect_body;
  part.spec.exclude_error_stats = o.exclude_error_stats;
  part.spec.capture_exchange = o.debug && form == Form::kPlain;
  return part;
}

// A warm-up without a load of its own has that of the main run. Connections of its own take the
// place of stages of connections.
void inherit_load(const Options& main, Options& warm) {
  const bool staged = !main.loads.empty() && !main.loads.front().connection_stages.empty();
  if (warm.loads.empty() && !(staged && warm.connections)) warm.loads = main.loads;
  if (!warm.connections) warm.connections = main.connections;
}

// The options of the warm-up: those of the main run, with the group's laid over them.
tl::expected<Options, SpecError> warmup_options(const Options& main) {
  Options warm = main;
  warm.warmup.clear();
  warm.find_warmup = false;
  warm.amount.reset();
  warm.duration_ns.reset();
  if (main.warmup.size() == 1 && !main.warmup[0].starts_with('-')) {
    const Expected<int64_t> span_ns = base::parse_duration(main.warmup[0], kSecond);
    if (!span_ns) return fault("--warmup: " + span_ns.error().text);
    warm.duration_ns = *span_ns;
    return warm;
  }
  warm.loads.clear();
  warm.connections.reset();
  warm.hdr_file.clear();
  warm.hgrm_file.clear();
  const Expected<cli::Operands> rest = cli::parse_minimist(carronade_flags(warm), main.warmup);
  if (!rest) return fault("--warmup: " + rest.error().text);
  if (!rest->words.empty() || !rest->after_dashes.empty()) {
    return fault("--warmup: only options may stand in the group, found \"" +
                 (rest->words.empty() ? "--" : rest->words[0]) + "\"");
  }
  if (!warm.warmup.empty() || warm.find_warmup) {
    return fault("--warmup: a warm-up has no warm-up of its own");
  }
  if (warm.forever && !main.forever) {
    return fault("--warmup: --forever has no effect in the group");
  }
  if (warm.on_port && !main.on_port) {
    return fault("--warmup: --on-port has no effect in the group");
  }
  if (!warm.hdr_file.empty() || !warm.hgrm_file.empty()) {
    return fault(
        "--warmup: --hdr and --hgrm have no effect in the group; the log of the main run "
        "has the warm-up in it");
  }
  inherit_load(main, warm);
  // A group without a limit runs as long as the main run.
  if (!warm.amount && !warm.duration_ns) {
    warm.amount = main.amount;
    warm.duration_ns = main.duration_ns;
  }
  return warm;
}

// Of what goes with a request.
void warn_of_request(const RunSpec& spec, std::vector<std::string>& warnings) {
  const Request& request = spec.targets.front().request;
  const auto has = [&request](std::string_view name) {
    return std::any_of(request.headers.begin(), request.headers.end(),
                       [name](const Header& header) { return base::iequals(header.name, name); });
  };
  if (!request.body.empty() && !has("Content-Type")) {
    warnings.push_back(
        "a body without Content-Type: many servers will not read it; add for "
        "example -H 'Content-Type: application/json'");
  }
  if (has("Content-Length")) {
    std::string line = "Content-Length is set by the body's own length";
    // What is filled in is part of it.
    if (!spec.templates && !spec.ids) line += fmt::format(", {} bytes", request.body.size());
    warnings.push_back(std::move(line));
  }
}

void warn(const Options& o, const RunSpec& spec, std::vector<std::string>& warnings) {
  if (!spec.targets.front().url.websocket) {
    warn_of_request(spec, warnings);
  } else if (spec.targets.front().request.body.empty()) {
    warnings.emplace_back("no message is given: empty ones are sent; add for example -b 'Hello'");
  }
  for (std::string& line : idle_request_options(o)) warnings.push_back(std::move(line));
  if (o.max_overall_requests && (o.amount || o.max_connection_requests)) {
    warnings.push_back(
        "--maxOverallRequests is ignored beside --amount and "
        "--maxConnectionRequests");
  }
}

SpecResult check_together(const Options& o, Form form) {
  if (o.dry_run && o.json) {
    return fault("--dry-run prints requests and -j a result: give one of them");
  }
  if (!o.hdr_file.empty() && o.hdr_file == o.hgrm_file) {
    return fault("--hdr and --hgrm are two files: " + o.hdr_file + " is named for both");
  }
  if (o.forever && (!o.hdr_file.empty() || !o.hgrm_file.empty())) {
    return fault("--hdr and --hgrm hold one run: leave them out beside --forever");
  }
  if (o.forever && o.data_mode == DataMode::kOnce) {
    return fault(
        "--data-mode once sends each row once, and --forever would begin with the first row again "
        "in each round: give one of them");
  }
  // autocannon dies of this one.
  if (form == Form::kStrict && o.forever && o.workers.value_or(0) > 0) {
    return fault("Error: Using `forever` option isn't currently supported with workers");
  }
  return {};
}

SpecResult check_rows_sent_once(const Options& main, const Options& warm) {
  if (main.data_mode != DataMode::kOnce || warm.data_file != main.data_file) return {};
  return fault(
      "--data-mode once sends each row once, and the warm-up would send them too: leave it out, or "
      "give it a file of its own (-W [ --data FILE … ])");
}

tl::expected<RunPart, SpecError> make_warmup(const Options& warm, RequestFiles files,
                                             const Surroundings& around) {
  Job ignored;
  auto part = make_part(warm, std::move(files), around, ignored);
  if (!part) {
    return tl::unexpected(
        SpecError{"--warmup: " + part.error().text, part.error().strict_exits_ok});
  }
  part->spec.capture_exchange = false;
  return part;
}

}  // namespace

tl::expected<Job, SpecError> make_job(const Options& options, const cli::Operands& operands,
                                      const std::optional<std::string>& port, Form form) {
  if (SpecResult done = check_together(options, form); !done) return tl::unexpected(done.error());
  Options main = options;
  if (SpecResult done = load_body(main); !done) return tl::unexpected(done.error());
  auto files = load_request_files(main, form);
  if (!files) return tl::unexpected(files.error());
  const Surroundings around{operands.words, port, form};
  // autocannon has no warm-up before what goes on for ever.
  const bool warms_up = !main.warmup.empty() && !(form == Form::kStrict && main.forever);
  std::optional<RequestFiles> kept;
  if (warms_up) kept = *files;
  Job job;
  auto part = make_part(main, std::move(*files), around, job);
  if (!part) return tl::unexpected(part.error());
  job.main = std::move(*part);
  warn(main, job.main.spec, job.warnings);
  if (!warms_up) return job;

  auto warm = warmup_options(main);
  if (!warm) return tl::unexpected(warm.error());
  if (SpecResult done = check_rows_sent_once(main, *warm); !done) {
    return tl::unexpected(done.error());
  }
  if (SpecResult done = load_body(*warm); !done) return tl::unexpected(done.error());
  if (!name_the_same_files(main, *warm)) {
    auto other = load_request_files(*warm, form);
    if (!other) return tl::unexpected(other.error());
    kept = std::move(*other);
  }
  auto before = make_warmup(*warm, std::move(*kept), around);
  if (!before) return tl::unexpected(before.error());
  job.warmup = std::move(*before);
  return job;
}

}  // namespace carronade::dialects
