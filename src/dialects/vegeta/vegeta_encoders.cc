#include "dialects/vegeta/vegeta_encoders.h"

#include "dialects/vegeta/vegeta_csv_codec.h"
#include "dialects/vegeta/vegeta_gob_encoder.h"
#include "dialects/vegeta/vegeta_json_codec.h"

namespace carronade::dialects::vegeta {

std::optional<Encoding> encoding_named(std::string_view name) {
  if (name == "gob") return Encoding::kGob;
  if (name == "json") return Encoding::kJson;
  if (name == "csv") return Encoding::kCsv;
  return std::nullopt;
}

std::unique_ptr<ResultEncoder> make_encoder(Encoding encoding) {
  switch (encoding) {
    case Encoding::kGob:
      return std::make_unique<GobEncoder>();
    case Encoding::kJson:
      return std::make_unique<JsonEncoder>();
    case Encoding::kCsv:
      return std::make_unique<CsvEncoder>();
  }
  return nullptr;
}

}  // namespace carronade::dialects::vegeta
