#include "report/rate_json.h"

#include <nlohmann/json.hpp>

#include "report/result_json.h"

namespace carronade::report {

using Json = nlohmann::ordered_json;

namespace {

const char* pace_name(PaceMode pace) {
  switch (pace) {
    case PaceMode::kHybrid:
      return "hybrid";
    case PaceMode::kSpin:
      return "spin";
    case PaceMode::kSleep:
      return "sleep";
  }
  return "";
}

// null when the run ended before any time had passed.
Json per_second(uint64_t count, int64_t ns) {
  return rounded_json(static_cast<double>(count) * 1e9 / static_cast<double>(ns));
}

Json stage_json(const StageResult& stage) {
  Json json;
  json["name"] = stage.name;
  json["start"] = stage.start_ns;
  json["width"] = stage.width_ns;
  json["planned"] = stage.planned;
  json["sent"] = stage.sent;
  json["answered"] = stage.answered;
  json["failed"] = stage.failed;
  json["dropped"] = stage.dropped;
  json["latency"] = histogram_json(stage.latency);
  json["serviceTime"] = histogram_json(stage.service_time);
  return json;
}

}  // namespace

Json rate_json(const RunResult& result) {
  if (!result.rate) return nullptr;
  const RateResult& rate = *result.rate;
  Json json;
  json["planned"] = per_second(rate.planned, rate.load_ns);
  json["achieved"] = per_second(rate.sent_in_time, rate.load_ns);
  json["unit"] = "requests/s";
  json["requests"] = {{"planned", rate.planned},
                      {"sentInTime", rate.sent_in_time},
                      {"refused", rate.refused},
                      {"unsent", rate.unsent}};
  json["loadNs"] = rate.load_ns;
  json["pace"] = pace_name(rate.pace);
  return json;
}

Json lateness_json(const RunResult& result) {
  if (!result.rate) return nullptr;
  return {{"generator", histogram_json(result.rate->generator_late)},
          {"noConnection", histogram_json(result.rate->no_connection)}};
}

Json stages_json(const RunResult& result) {
  if (!result.rate || result.rate->stages.empty()) return nullptr;
  Json list = Json::array();
  for (const StageResult& stage : result.rate->stages) list.push_back(stage_json(stage));
  return list;
}

Json warmup_json(const RunResult& result) {
  if (!result.warmup) return nullptr;
  const WarmupResult& warmup = *result.warmup;
  Json json;
  json["width"] = warmup.width_ns;
  json["settled"] = warmup.settled;
  json["answered"] = warmup.answered;
  json["latency"] = histogram_json(warmup.latency);
  json["serviceTime"] = histogram_json(result.rate ? warmup.service_time : warmup.latency);
  return json;
}

}  // namespace carronade::report
