// Writes a gob stream of results, byte for byte what Go's encoder makes of vegeta's struct.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dialects/vegeta/vegeta_encoders.h"

namespace carronade::dialects::vegeta {

class GobEncoder : public ResultEncoder {
 public:
  void encode(const Result& result, std::string& out) override;

 private:
  void append_definitions(std::string& out);
  void append_headers(const Result& result);
  // A value follows for field `number`, unless it is zero: those are left out.
  void begin_field(int number);
  void unsigned_field(int number, uint64_t value);
  void bytes_field(int number, std::string_view value);
  // The message that payload_ holds.
  void append_message(std::string& out);

  bool defined_ = false;
  int last_field_ = -1;
  std::string payload_;
  std::vector<uint32_t> order_;
};

}  // namespace carronade::dialects::vegeta
