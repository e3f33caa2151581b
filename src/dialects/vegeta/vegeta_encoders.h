// Results as bytes, in the encodings of vegeta: a gob stream as Go writes it, JSON lines, CSV.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dialects/vegeta/vegeta_result.h"

namespace carronade::dialects::vegeta {

enum class Encoding : uint8_t { kGob, kJson, kCsv };

// "gob", "json", "csv"; nothing for other words.
std::optional<Encoding> encoding_named(std::string_view name);

// One stream of results. Not thread-safe; a stream is written by one object from its beginning,
// since a gob stream begins with definitions that the rest refers to.
class ResultEncoder {
 public:
  virtual ~ResultEncoder() = default;
  // Appends one result to `out`. Allocates nothing once it and `out` have grown, but for headers.
  virtual void encode(const Result& result, std::string& out) = 0;
};

std::unique_ptr<ResultEncoder> make_encoder(Encoding encoding);

}  // namespace carronade::dialects::vegeta
