// Results as CSV (RFC 4180) of 12 columns, without a header.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/vegeta/vegeta_decoders.h"
#include "dialects/vegeta/vegeta_encoders.h"

namespace carronade::dialects::vegeta {

class CsvEncoder : public ResultEncoder {
 public:
  void encode(const Result& result, std::string& out) override;

 private:
  std::vector<uint32_t> order_;
  std::string block_;  // of headers
};

class CsvDecoder : public ResultDecoder {
 public:
  CsvDecoder(ResultInput& input, Detail detail) : input_(input), detail_(detail) {}
  Expected<bool> next(Result& result) override;

 private:
  // The next record with its line end, until the next read; false at the end.
  Expected<bool> read_record(std::string_view& record);
  // Cuts it into fields_; false when a quote is where none may be.
  bool split(std::string_view record);
  // What is wrong; "" for nothing.
  std::string_view take_fields(Result& result);
  std::string_view take_headers(Result& result);

  ResultInput& input_;
  Detail detail_;
  uint64_t line_ = 1;    // that the next record begins in
  size_t consumed_ = 0;  // bytes of the record that was handed out
  std::vector<std::string> fields_;
  std::string block_;
};

}  // namespace carronade::dialects::vegeta
