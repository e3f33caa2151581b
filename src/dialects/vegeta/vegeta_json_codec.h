// Results as JSON, one object a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/vegeta/vegeta_decoders.h"
#include "dialects/vegeta/vegeta_encoders.h"

namespace carronade::dialects::vegeta {

class JsonEncoder : public ResultEncoder {
 public:
  void encode(const Result& result, std::string& out) override;

 private:
  std::vector<uint32_t> order_;
};

class JsonDecoder : public ResultDecoder {
 public:
  JsonDecoder(ResultInput& input, Detail detail) : input_(input), detail_(detail) {}
  Expected<bool> next(Result& result) override;

 private:
  // The next line that is not blank, until the next read; false at the end.
  Expected<bool> read_line(std::string_view& line);

  ResultInput& input_;
  Detail detail_;
  uint64_t line_ = 0;    // number of the line that was handed out
  size_t consumed_ = 0;  // its bytes
};

}  // namespace carronade::dialects::vegeta
