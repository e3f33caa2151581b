// A RunResult as JSON: the object `carronade` of the report. docs/result.md explains every key,
// docs/result.schema.json is its schema. Times are ns; what was not measured is null, so that
// no NaN, infinity or sentinel ever appears.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "carronade/histogram.h"
#include "carronade/run_result.h"

namespace carronade::report {

// Of the layout of the object; grows when a key changes its meaning, not when one is added.
inline constexpr int kResultSchema = 1;

// Of this program, "0.1.0".
std::string_view version();

nlohmann::ordered_json result_json(const RunResult& result);

// {count, min, mean, stddev, max, p0_001 … p99_999}; all but count are null without samples.
nlohmann::ordered_json histogram_json(const Histogram& histogram);

// A number as JSON writes it best: a whole one without ".0", null when it is not finite.
nlohmann::ordered_json number_json(double number);
// The same to the thousandth: more than any clock here resolves.
nlohmann::ordered_json rounded_json(double number);
// null for -1, which stands for "not measured".
nlohmann::ordered_json measured_json(int64_t number);

// The document on one line; text that is not UTF-8 gets U+FFFD instead of throwing.
std::string dump_json(const nlohmann::ordered_json& document);

}  // namespace carronade::report
