// Reports of runs made by hand against the files in test/golden. `APPROVE=1 report_golden_test`
// (started in the root of the source tree) writes the files anew: read the diff before keeping it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/text.h"
#include "carronade/result_codec.h"
#include "carronade/result_document.h"
#include "carronade/verdict.h"
#include "dialects/carronade/carronade_report.h"
#include "dialects/carronade/golden_cases.h"
#include "dialects/carronade/rate_report.h"
#include "report/result_json.h"

namespace carronade::dialects {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMs = 1'000'000;

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
            "stopped by its duration\n" +
                verdict_lines(judge(made.result)));
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
  facts.max_connections = 20;
  EXPECT_EQ(run_header(facts, false),
            "Running 500ms test @ http://localhost:8080/\n1 connection, up to 20 on demand\n\n");
  facts.max_connections = 0;
  facts.connections = 200;
  facts.changing_connections = true;
  EXPECT_EQ(run_header(facts, false),
            "Running 500ms test @ http://localhost:8080/\n200 connections at most\n\n");
  facts.connections = 1;
  facts.strict = true;
  EXPECT_EQ(run_header(facts, true),
            "Running 0.5s warmup @ http://localhost:8080/\n1 connections\n\n");
}

TEST(JsonReport, LatencyIsTheServiceTimeWithC) {
  Case made = rate_case();
  for (const bool strict : {false, true}) {
    made.facts.strict = strict;
    made.facts.service_time = false;
    EXPECT_EQ(Json::parse(json_report(made.result, made.facts, nullptr))["latency"]["max"],
              strict ? Json(50) : Json(50.705));
    made.facts.service_time = true;
    EXPECT_LT(Json::parse(json_report(made.result, made.facts, nullptr))["latency"]["max"], 2);
  }
}

TEST(Report, AnOpenLoopIsNotToldOfStallsThatAClosedLoopHides) {
  Case made = rate_case();
  made.result.latency.record_many(1 * kMs, 100'000);
  made.result.latency.record(900 * kMs);
  EXPECT_EQ(text_report(made.result, made.facts).find("closed loop"), std::string::npos);
  made.result.rate.reset();
  EXPECT_NE(text_report(made.result, made.facts).find("closed loop"), std::string::npos);
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

DocumentFacts document_facts(const ReportFacts& facts) {
  DocumentFacts document;
  document.urls = facts.urls;
  document.socket_path = facts.socket_path;
  document.title = facts.title;
  document.connections = facts.connections;
  document.pipelining = facts.pipelining;
  document.workers = facts.workers;
  document.service_time = facts.service_time;
  return document;
}

TEST(ResultDocument, IsTheReportOfTheCommand) {
  for (const Case& made : all_cases()) {
    EXPECT_EQ(result_document(made.result, document_facts(made.facts)),
              json_report(made.result, made.facts, nullptr))
        << made.name;
  }
  Case made = rate_case();
  made.facts.service_time = true;
  made.facts.title = "late";
  made.facts.workers = 3;
  EXPECT_EQ(result_document(made.result, document_facts(made.facts)),
            json_report(made.result, made.facts, nullptr));
}

TEST(ResultDocument, HasTheResetsOfTheFacts) {
  DocumentFacts facts;
  facts.urls = {"http://localhost:8080/"};
  EXPECT_EQ(Json::parse(result_document(RunResult(), facts))["resets"], 0);
  facts.resets = 12;
  EXPECT_EQ(Json::parse(result_document(RunResult(), facts))["resets"], 12);
}

// How sure the percentiles are cannot be told of several runs as one; the figures can.
TEST(ResultDocument, OfSeveralResultsAsOne) {
  const Case made = normal_case();
  const RunResult both = merge_results({made.result, made.result});
  const Json one = Json::parse(result_document(made.result, document_facts(made.facts)));
  const Json two = Json::parse(result_document(both, document_facts(made.facts)));
  EXPECT_EQ(two["requests"]["total"], 2 * one["requests"]["total"].get<uint64_t>());
  EXPECT_EQ(two["requests"]["max"], 2 * one["requests"]["max"].get<uint64_t>());
  EXPECT_EQ(two["latency"]["p99"], one["latency"]["p99"]);
  EXPECT_EQ(two["duration"], one["duration"]);
  EXPECT_EQ(two["samples"], one["samples"]);
  EXPECT_TRUE(one["carronade"]["latency"]["interval95"]["p50"].is_array());
  EXPECT_TRUE(two["carronade"]["latency"]["interval95"]["p50"].is_null());
  EXPECT_TRUE(two["carronade"]["latency"]["designEffect"]["p50"].is_null());
}

}  // namespace
}  // namespace carronade::dialects
