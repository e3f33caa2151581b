#include "dialects/carronade/golden_cases.h"

#include "stats/histogram_codec.h"

namespace carronade::dialects {
namespace {

constexpr int64_t kUs = 1'000;
constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kStart = 1'767'225'600'123'456'789;  // 2026-01-01T00:00:00.123Z

// Windows of one interval each, then one of `last_width`; 150 bytes an answer, the interval

// being one second so that the series is the same list.

void set_windows(RunResult& result, const std::vector<uint64_t>& answers, int64_t last_width) {
  for (size_t i = 0; i < answers.size(); ++i) {
    Window window;
    window.start_ns = static_cast<int64_t>(i) * result.sample_interval_ns;
    window.width_ns = i + 1 < answers.size() ? result.sample_interval_ns : last_width;
    window.sent = answers[i];
    window.answered = answers[i];
    window.bytes_received = answers[i] * 150;
    window.connections = result.connections_peak;
    result.samples.push_back(window);
    if (answers[i] > 0) {
      window.p50_ns = 64'100;
      window.p99_ns = 812'000;
    }
    result.series.push_back(window);
  }
}

// The next tenth of a second.
void add_interval(RunResult& result, const Histogram& latency) {
  constexpr int64_t kWidth = 100 * kMs;
  const auto index = static_cast<int64_t>(result.intervals.size());
  result.latency.merge(latency);
  result.intervals.push_back({index * kWidth, kWidth, stats::encode_histogram(latency), ""});
}

// All of the run as one, too few to tell whether samples depend on each other.
void set_only_interval(RunResult& result) {
  result.intervals = {{0, result.elapsed_ns, stats::encode_histogram(result.latency), ""}};
}

void set_answers(RunResult& result, uint16_t status, uint64_t count) {
  result.by_status[status] += count;
  result.answered += count;
}

RunResult basic_run(int64_t elapsed_ns, uint64_t connections) {
  RunResult result;
  result.start_unix_ns = kStart;
  result.elapsed_ns = elapsed_ns;
  result.addresses = {"127.0.0.1:8080"};
  result.connections_asked = connections;
  result.connections_peak = connections;
  result.connections_opened = connections;
  return result;
}

Case refused_case() {
  Case made{"refused", basic_run(2 * kSecond, 10), basic_facts()};
  made.facts.duration_s = 2;
  RunResult& result = made.result;
  result.connections_peak = 0;
  result.connections_opened = 0;
  set_windows(result, {0, 0}, kSecond);
  result.series[0].errors = 1500;
  result.series[1].errors = 30;
  result.errors = {{ErrorKind::kConnectRefused, Phase::kConnect,
                    "connect 127.0.0.1:8080: Connection refused", 1530}};
  return made;
}

Case silent_case() {  // a server that takes requests and never answers
  Case made{"silent", basic_run(11 * kSecond + 7 * kMs, 5), basic_facts()};
  RunResult& result = made.result;
  set_windows(result, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 7 * kMs);
  result.sent = 10;
  result.timed_out = 5;
  result.in_flight = 5;
  result.reconnects = 5;
  result.connections_opened = 10;
  result.errors = {
      {ErrorKind::kTimeout, Phase::kTimeout, "no answer from 127.0.0.1:8080 within 10 s", 5, 5}};
  return made;
}

Case mixed_case() {
  Case made{"mixed", basic_run(3 * kSecond, 2000), basic_facts()};
  made.facts.urls.push_back("http://localhost:8080/other");
  made.facts.connections = 2000;
  made.facts.duration_s = 3;
  made.facts.status_codes = true;
  RunResult& result = made.result;
  result.connections_peak = 1009;
  result.connections_opened = 1100;
  result.reconnects = 91;
  set_windows(result, {1000, 0, 2046}, kSecond);
  set_answers(result, 200, 1046);
  set_answers(result, 302, 5);
  set_answers(result, 404, 700);
  set_answers(result, 429, 45);
  set_answers(result, 503, 1249);
  set_answers(result, 777, 1);
  result.failed = 3;
  result.timed_out = 2;
  result.in_flight = 4;
  result.sent = result.answered + 9;
  result.retried = 7;
  result.mismatched = 6;
  result.bytes_received = 3046 * 150;
  result.bytes_body = 3046 * 12;
  result.latency.record_many(3 * kMs, 3000);
  result.latency.record_many(41 * kMs, 46);
  set_only_interval(result);
  result.errors = {
      {ErrorKind::kOutOfDescriptors, Phase::kConnect, "socket: Too many open files", 991, 0},
      {ErrorKind::kConnectionReset, Phase::kRead, "read 127.0.0.1:8080: Connection reset by peer",
       2, 2},
      {ErrorKind::kTimeout, Phase::kTimeout, "no answer from 127.0.0.1:8080 within 1 s", 2, 2},
      {ErrorKind::kMalformedResponse, Phase::kParse,
       "127.0.0.1:8080: not a status line: \"HTP/1.1\xff\"", 1, 1}};
  return made;
}

Case latency_case() {  // -l, over TLS, a stall in the middle, half-second windows
  Case made{"latency", basic_run(2 * kSecond, 1), basic_facts()};
  made.facts.urls = {"https://localhost:8443/"};
  made.facts.connections = 1;
  made.facts.duration_s = 2;
  made.facts.latency_table = true;
  RunResult& result = made.result;
  result.sample_interval_ns = kSecond / 2;
  set_windows(result, {1000, 200, 0, 1000}, kSecond / 2);
  result.series.clear();
  set_answers(result, 200, 2200);
  result.sent = 2200;
  result.bytes_received = 2200 * 150;
  result.latency.record_many(400 * kUs, 2199);
  result.latency.record(900 * kMs);
  set_only_interval(result);
  result.first_byte.record_many(300 * kUs, 2200);
  result.connect.record(90 * kUs);
  result.tls_handshake.record(2 * kMs);
  return made;
}

Case unresolved_case() {  // no window at all
  Case made{"unresolved", basic_run(3 * kMs, 10), basic_facts()};
  made.facts.urls = {"http://nowhere.invalid/"};
  RunResult& result = made.result;
  result.addresses.clear();
  result.stopped_by = StoppedBy::kUnresolved;
  result.connections_peak = 0;
  result.connections_opened = 0;
  result.errors = {{ErrorKind::kResolveFailed, Phase::kResolve,
                    "resolve nowhere.invalid: Name or service not known", 1}};
  return made;
}

// 200 requests a second for ten seconds on ten connections; one in twenty waited for a free one.

Case service_time_case() {  // the same with -C, and a warm-up that was looked for
  Case made = rate_case();
  made.name = "service_time";
  made.facts.service_time = true;
  made.result.warmup.emplace();
  return made;
}

// Three stages on too few connections, with drops; -U shows both kinds of percentiles.

Case stages_case() {
  Case made = rate_case();
  made.name = "stages";
  made.facts.load = "--stages 2s:200, 6s:200..200, 2s:200";
  made.facts.max_connections = 12;
  made.facts.latency_table = true;
  made.facts.uncorrected = true;
  RunResult& result = made.result;
  RateResult& rate = *result.rate;
  rate.refused = 90;
  rate.unsent = 10;
  rate.planned += 100;
  result.planned += 100;
  result.dropped = 100;
  result.connections_peak = 12;
  const int64_t starts[] = {0, 2, 8, 10};
  for (int i = 0; i < 3; ++i) {
    StageResult stage;
    stage.start_ns = starts[i] * kSecond;
    stage.width_ns = (starts[i + 1] - starts[i]) * kSecond;
    stage.name = std::to_string(starts[i + 1] - starts[i]) + "s at 200/s";
    stage.sent = stage.answered = static_cast<uint64_t>(starts[i + 1] - starts[i]) * 200;
    stage.dropped = i == 1 ? 100 : 0;
    stage.planned = stage.sent + stage.dropped;
    stage.latency.record_many(1 * kMs, stage.sent - 1);
    stage.latency.record((i + 1) * 100 * kMs);
    stage.service_time.record_many(1 * kMs, stage.sent);
    rate.stages.push_back(std::move(stage));
  }
  return made;
}

Case websocket_case() {
  Case made{"websocket", basic_run(2 * kSecond, 5), basic_facts()};
  made.facts.urls = {"ws://localhost:8080/echo"};
  made.facts.duration_s = 2;
  made.facts.connections = 5;
  made.facts.websocket = true;
  RunResult& result = made.result;
  result.protocol = "WebSocket";
  result.connections_opened = 6;
  result.reconnects = 1;
  set_windows(result, {4000, 4100}, kSecond);
  set_answers(result, 0, 8100);
  result.failed = 1;
  result.in_flight = 4;
  result.sent = result.answered + 5;
  result.bytes_received = 8100 * 15;
  result.bytes_body = 8100 * 13;
  result.latency.record_many(1 * kMs, 8000);
  result.latency.record_many(3 * kMs, 100);
  set_only_interval(result);
  result.websocket = {.handshakes_tried = 10,
                      .handshakes_opened = 6,
                      .refused_by_status = {{404, 1}, {503, 1}},
                      .text_messages = 8103,
                      .unasked_messages = 3,
                      .pings = 4,
                      .closes_by_code = {{1000, 4}, {1011, 1}}};
  result.errors = {
      {ErrorKind::kUpgradeRefused, Phase::kUpgrade, "upgrade 127.0.0.1:8080: 404 Not Found", 2, 0},
      {ErrorKind::kTimeout, Phase::kUpgrade,
       "upgrade 127.0.0.1:8080: no complete answer within 10 s", 1, 0},
      {ErrorKind::kMalformedFrame, Phase::kParse, "127.0.0.1:8080: a reserved bit is set", 1, 1}};
  return made;
}

}  // namespace

ReportFacts basic_facts() {
  ReportFacts facts;
  facts.urls = {"http://localhost:8080/"};
  return facts;
}

Case normal_case() {
  Case made{"normal", basic_run(10 * kSecond + 2 * kMs, 10), basic_facts()};
  RunResult& result = made.result;
  set_windows(result, {11000, 12000, 12500, 12600, 12400, 12300, 12700, 12550, 12450, 12500, 456},
              2 * kMs);
  set_answers(result, 200, 123'456);
  result.sent = 123'466;
  result.in_flight = 10;
  result.bytes_sent = 123'466 * 40;
  result.bytes_received = 123'456 * 150;
  result.bytes_body = 123'456 * 12;
  for (int i = 0; i < 100; ++i) {
    Histogram latency;
    latency.record_many(64'100, 1100);
    latency.record_many(812'000, 130);
    latency.record_many(1'520'000, i * 37 % 100 < 56 ? 5 : 4);
    add_interval(result, latency);
  }
  result.first_byte.record_many(60'000, 123'456);
  result.connect.record_many(90 * kUs, 10);
  return made;
}

Case amount_case() {
  Case made{"amount", basic_run(412 * kMs, 1), basic_facts()};
  made.facts.amount = 50;
  made.facts.connections = 1;
  made.facts.pipelining = 2;
  made.facts.workers = 1;
  made.facts.socket_path = "/run/app.sock";
  made.facts.title = "fünfzig";
  RunResult& result = made.result;
  result.addresses = {"/run/app.sock"};
  result.stopped_by = StoppedBy::kAmount;
  set_windows(result, {50}, 412 * kMs);
  set_answers(result, 201, 50);
  result.planned = 50;
  result.sent = 50;
  result.bytes_received = 50 * 150;
  for (int i = 1; i <= 50; ++i) result.latency.record(i * kMs + 400 * kUs);
  set_only_interval(result);
  return made;
}

Case rate_case() {
  Case made{"rate", basic_run(10 * kSecond + 30 * kMs, 10), basic_facts()};
  made.facts.load = "200/s";
  made.facts.arrivals = "even";
  RunResult& result = made.result;
  RateResult& rate = result.rate.emplace();
  set_windows(result, std::vector<uint64_t>(10, 200), kSecond);
  set_answers(result, 200, 2000);
  result.planned = result.sent = 2000;
  result.bytes_received = 2000 * 150;
  rate.planned = rate.sent_in_time = 2000;
  rate.load_ns = 10 * kSecond;
  for (int i = 0; i < 100; ++i) {
    Histogram latency;
    for (int j = 0; j < 20; ++j) {
      const int drawn = (i * 20 + j) * 7919 % 2000;
      const int64_t waited_ns = drawn % 20 == 0 ? (drawn + 1) * 25 * kUs : 0;
      const int64_t service_ns = 1 * kMs + drawn % 200 * kUs;
      latency.record(waited_ns + service_ns);
      rate.service_time.record(service_ns);
      rate.no_connection.record(waited_ns);
      rate.generator_late.record(j * kUs);
      rate.planned_gaps.record(5 * kMs);
      rate.sent_gaps.record(5 * kMs);
      result.first_byte.record(service_ns - 10 * kUs);
    }
    add_interval(result, latency);
  }
  for (size_t second = 0; second < 10; ++second) {
    result.samples[second].planned = 200;
    result.series[second].planned = 200;
  }
  return made;
}

std::vector<Case> all_cases() {
  return {normal_case(),       refused_case(), silent_case(),     mixed_case(),
          amount_case(),       latency_case(), unresolved_case(), rate_case(),
          service_time_case(), stages_case(),  websocket_case()};
}

}  // namespace carronade::dialects
