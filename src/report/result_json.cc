#include "report/result_json.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "carronade/verdict.h"
#include "report/health_json.h"
#include "report/latency_json.h"
#include "report/rate_json.h"
#include "report/websocket_json.h"

namespace carronade::report {
namespace {

using Json = nlohmann::ordered_json;

struct Percentile {
  const char* key;
  double percent;
};
constexpr std::array<Percentile, 16> kPercentiles{{{"p0_001", 0.001},
                                                   {"p0_01", 0.01},
                                                   {"p0_1", 0.1},
                                                   {"p1", 1},
                                                   {"p2_5", 2.5},
                                                   {"p10", 10},
                                                   {"p25", 25},
                                                   {"p50", 50},
                                                   {"p75", 75},
                                                   {"p90", 90},
                                                   {"p95", 95},
                                                   {"p97_5", 97.5},
                                                   {"p99", 99},
                                                   {"p99_9", 99.9},
                                                   {"p99_99", 99.99},
                                                   {"p99_999", 99.999}}};

Json connections_json(const RunResult& result) {
  return {{"asked", result.connections_asked},
          {"peak", result.connections_peak},
          {"opened", result.connections_opened},
          {"reconnects", result.reconnects}};
}

Json requests_json(const RunResult& result) {
  Json json;
  json["planned"] = result.planned > 0 || result.open_loop() ? Json(result.planned) : Json(nullptr);
  json["sent"] = result.sent;
  json["answered"] = result.answered;
  json["failed"] = result.failed;
  json["timedOut"] = result.timed_out;
  json["retried"] = result.retried;
  json["dropped"] = result.dropped;
  json["inFlight"] = result.in_flight;
  json["mismatched"] = result.mismatched;
  return json;
}

Json errors_json(const RunResult& result) {
  Json list = Json::array();
  for (const ErrorCount& error : result.errors) {
    Json json;
    json["kind"] = error_kind_name(error.kind);
    json["phase"] = phase_name(error.phase);
    json["side"] = fault_side(error.kind) == FaultSide::kServer ? "server" : "this_machine";
    json["text"] = error.text;
    json["count"] = error.count;
    json["requests"] = error.requests;
    list.push_back(std::move(json));
  }
  return list;
}

Json series_json(const RunResult& result) {
  constexpr int64_t kSecondNs = 1'000'000'000;
  Json list = Json::array();
  for (const Window& window : result.series) {
    Json json;
    json["second"] = window.start_ns / kSecondNs;
    json["width"] = window.width_ns;
    json["planned"] = result.open_loop() ? Json(window.planned) : Json(nullptr);
    json["sent"] = window.sent;
    json["answered"] = window.answered;
    json["errors"] = window.errors;
    json["dropped"] = result.open_loop() ? Json(window.dropped) : Json(nullptr);
    json["bytesReceived"] = window.bytes_received;
    json["connections"] = window.connections;
    json["p50"] = measured_json(window.p50_ns);
    json["p99"] = measured_json(window.p99_ns);
    list.push_back(std::move(json));
  }
  return list;
}

Json verdict_json(const RunResult& result) {
  const Verdict verdict = judge(result);
  Json reasons = Json::array();
  for (const VerdictReason& reason : verdict.reasons) {
    reasons.push_back({{"code", reason.code}, {"text", reason.text}});
  }
  return {{"state", verdict_name(verdict.state)}, {"reasons", std::move(reasons)}};
}

}  // namespace

std::string_view version() { return CARRONADE_VERSION; }

Json number_json(double number) {
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  if (!std::isfinite(number)) return nullptr;
  if (number == std::floor(number) && std::fabs(number) <= kExactIntegers) {
    return static_cast<int64_t>(number);
  }
  return number;
}

Json rounded_json(double number) { return number_json(std::round(number * 1e3) / 1e3); }

Json measured_json(int64_t number) { return number < 0 ? Json(nullptr) : Json(number); }

Json histogram_json(const Histogram& histogram) {
  const bool any = !histogram.empty();
  Json json;
  json["count"] = histogram.count();
  json["min"] = any ? Json(histogram.min()) : Json(nullptr);
  json["mean"] = any ? rounded_json(histogram.mean()) : Json(nullptr);
  json["stddev"] = any ? rounded_json(histogram.stddev()) : Json(nullptr);
  json["max"] = any ? Json(histogram.max()) : Json(nullptr);
  for (const Percentile& p : kPercentiles) {
    json[p.key] = any ? Json(histogram.percentile(p.percent)) : Json(nullptr);
  }
  return json;
}

Json result_json(const RunResult& result) {
  Json json;
  json["schema"] = kResultSchema;
  json["version"] = version();
  json["stoppedBy"] = stopped_by_name(result.stopped_by);
  json["verdict"] = verdict_json(result);
  json["loop"] = result.open_loop() ? "open" : "closed";
  json["connections"] = connections_json(result);
  json["requests"] = requests_json(result);
  json["rate"] = rate_json(result);
  json["lateness"] = lateness_json(result);
  json["bytes"] = {{"sent", result.bytes_sent},
                   {"received", result.bytes_received},
                   {"body", result.bytes_body}};
  json["errors"] = errors_json(result);
  json["latency"] = latency_json(result);
  // Due and sent are one in a closed loop, so response time and service time are too.
  json["serviceTime"] = histogram_json(result.rate ? result.rate->service_time : result.latency);
  json["firstByte"] = histogram_json(result.first_byte);
  json["connect"] = histogram_json(result.connect);
  json["tlsHandshake"] = histogram_json(result.tls_handshake);
  json["websocket"] = websocket_json(result);
  json["warmup"] = warmup_json(result);
  json["stages"] = stages_json(result);
  json["series"] = series_json(result);
  json["protocol"] = result.protocol;
  json["addresses"] = result.addresses;
  json["tls"] = {{"resumed", result.tls_resumed}};
  json["health"] = health_json(result);
  return json;
}

std::string dump_json(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace carronade::report
