// Reports of runs made by hand against the files in test/golden. `APPROVE=1 report_golden_test`
// (started in the root of the source tree) writes the files anew: read the diff before keeping it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/text.h"
#include "dialects/carronade/carronade_report.h"
#include "report/result_json.h"

namespace carronade::dialects {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kUs = 1'000;
constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kStart = 1'767'225'600'123'456'789;  // 2026-01-01T00:00:00.123Z

struct Case {
  std::string name;
  RunResult result;
  ReportFacts facts;
};

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
  result.latency.record_many(64'100, 110'000);
  result.latency.record_many(812'000, 13'000);
  result.latency.record_many(1'520'000, 456);
  result.first_byte.record_many(60'000, 123'456);
  result.connect.record_many(90 * kUs, 10);
  return made;
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
  result.errors = {
      {ErrorKind::kOutOfDescriptors, Phase::kConnect, "socket: Too many open files", 991, 0},
      {ErrorKind::kConnectionReset, Phase::kRead, "read 127.0.0.1:8080: Connection reset by peer",
       2, 2},
      {ErrorKind::kTimeout, Phase::kTimeout, "no answer from 127.0.0.1:8080 within 1 s", 2, 2},
      {ErrorKind::kMalformedResponse, Phase::kParse,
       "127.0.0.1:8080: not a status line: \"HTP/1.1\xff\"", 1, 1}};
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

std::vector<Case> all_cases() {
  return {normal_case(), refused_case(), silent_case(),    mixed_case(),
          amount_case(), latency_case(), unresolved_case()};
}

bool approving() {
  const char* value = std::getenv("APPROVE");
  return value != nullptr && std::string(value) == "1";
}

void compare(const std::string& file, const std::string& text) {
  const std::string path = "test/golden/" + file;
  if (approving()) {
    std::ofstream out(path, std::ios::binary);
    ASSERT_TRUE(out << text << std::flush) << path;
    return;
  }
  const Expected<std::string> golden = base::read_file(path);
  ASSERT_TRUE(golden.has_value()) << golden.error().text;
  EXPECT_EQ(text, *golden) << "APPROVE=1 report_golden_test writes " << path << " anew";
}

TEST(ReportGolden, Text) {
  for (Case& made : all_cases()) {
    for (const bool strict : {false, true}) {
      made.facts.strict = strict;
      compare(made.name + (strict ? ".strict.txt" : ".txt"),
              run_header(made.facts, false) + text_report(made.result, made.facts));
    }
  }
}

TEST(ReportGolden, Json) {
  for (Case& made : all_cases()) {
    for (const bool strict : {false, true}) {
      made.facts.strict = strict;
      const std::string line = json_report(made.result, made.facts, nullptr);
      EXPECT_EQ(line.find('\n'), std::string::npos);
      Json json = Json::parse(line);
      if (!strict) {
        EXPECT_EQ(json["carronade"]["version"], std::string(report::version()));
        json["carronade"]["version"] = "VERSION";  // a new version is not a new report
      }
      compare(made.name + (strict ? ".strict.json" : ".json"), json.dump(1) + "\n");
    }
  }
}

TEST(ReportGolden, EveryHandMadeRunIsConserved) {
  for (const Case& made : all_cases()) EXPECT_TRUE(made.result.conserved()) << made.name;
}

TEST(Report, WithoutVerbosityOnlyTheLastLinesAreLeft) {
  Case made = normal_case();
  made.facts.verbose = false;
  made.facts.latency_table = true;
  made.facts.status_codes = true;
  EXPECT_EQ(text_report(made.result, made.facts),
            "123,466 requests sent, 123,456 answered, 10 in flight at the end\n"
            "123,456 2xx responses\n"
            "123,466 requests in 10.0 s, 18.5 MB read (1.48 MB of bodies), "
            "stopped by its duration\n");
  made.facts.strict = true;
  EXPECT_EQ(text_report(made.result, made.facts), "123k requests in 10s, 18.5 MB read\n");
}

TEST(Report, ColoursChangeNothingButEscapes) {
  for (Case& made : all_cases()) {
    for (const bool strict : {false, true}) {
      made.facts.strict = strict;
      made.facts.colour = false;
      const std::string plain = text_report(made.result, made.facts);
      made.facts.colour = true;
      std::string coloured = text_report(made.result, made.facts);
      EXPECT_NE(coloured, plain);
      for (size_t at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b')) {
        coloured.erase(at, coloured.find('m', at) - at + 1);
      }
      EXPECT_EQ(coloured, plain);
    }
  }
}

TEST(Report, SpeaksOfStallsOnlyWhereTheyHideSamples) {
  Case made = normal_case();
  made.result.latency.reset();
  made.result.latency.record_many(1 * kMs, 10'000);
  made.result.latency.record(50 * kMs);  // stands for 50 of 10,000: p99 would be the same
  EXPECT_EQ(text_report(made.result, made.facts).find("closed loop"), std::string::npos);
  made.result.latency.record(60 * kMs);  // 110 of 10,000
  EXPECT_NE(text_report(made.result, made.facts).find("(up to 60.0 ms)"), std::string::npos);
}

TEST(Report, AWarmupIsNamedInTheHeader) {
  ReportFacts facts = basic_facts();
  facts.connections = 1;
  facts.duration_s = 0.5;
  EXPECT_EQ(run_header(facts, true),
            "Running 500ms warmup @ http://localhost:8080/\n1 connection\n\n");
  facts.strict = true;
  EXPECT_EQ(run_header(facts, true),
            "Running 0.5s warmup @ http://localhost:8080/\n1 connections\n\n");
}

TEST(JsonReport, KeysAreAutocannonsInItsOrder) {
  Case made = amount_case();
  for (const bool strict : {false, true}) {
    made.facts.strict = strict;
    const Json json = Json::parse(json_report(made.result, made.facts, &made.result));
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) keys.push_back(key);
    std::vector<std::string> wanted{
        "title",     "url",        "socketPath", "connections",     "sampleInt", "pipelining",
        "workers",   "duration",   "samples",    "start",           "finish",    "errors",
        "timeouts",  "mismatches", "non2xx",     "resets",          "1xx",       "2xx",
        "3xx",       "4xx",        "5xx",        "statusCodeStats", "latency",   "requests",
        "throughput"};
    if (!strict) wanted.push_back("carronade");
    wanted.push_back("warmup");
    EXPECT_EQ(keys, wanted);
    EXPECT_EQ(json["warmup"].contains("carronade"), !strict);
  }
}

TEST(JsonReport, AutocannonsNumbersAreNumbersWhateverHappened) {
  std::vector<Case> cases = all_cases();
  cases.push_back({"nothing", RunResult{}, basic_facts()});
  for (Case& made : cases) {
    for (const bool strict : {false, true}) {
      made.facts.strict = strict;
      const Json json = Json::parse(json_report(made.result, made.facts, nullptr));
      for (const char* group : {"latency", "requests", "throughput"}) {
        for (const auto& [key, value] : json[group].items()) {
          EXPECT_TRUE(value.is_number()) << made.name << " " << group << "." << key;
        }
      }
    }
  }
}

}  // namespace
}  // namespace carronade::dialects
