// Reads a gob stream of results as Go does: by the definitions in the stream, fields by their
// names, whatever else is there passed over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/vegeta/vegeta_decoders.h"
#include "dialects/vegeta/vegeta_gob_types.h"
#include "dialects/vegeta/vegeta_gob_wire.h"

namespace carronade::dialects::vegeta {

class GobDecoder : public ResultDecoder {
 public:
  GobDecoder(ResultInput& input, Detail detail);
  GobDecoder(const GobDecoder&) = delete;
  GobDecoder& operator=(const GobDecoder&) = delete;
  Expected<bool> next(Result& result) override;

 private:
  enum class Field : uint8_t {
    kAttack,
    kSeq,
    kCode,
    kTimestamp,
    kLatency,
    kBytesOut,
    kBytesIn,
    kError,
    kBody,
    kMethod,
    kUrl,
    kHeaders,
    kUnknown,
  };
  struct Slot {
    Field field;
    int64_t type;
  };

  // The payload of the next message, until the next read; false at the end.
  Expected<bool> read_message(std::string_view& payload);
  // Finds the fields of the struct `type` by name.
  Expected<void> plan(int64_t type);
  bool fits(Field field, int64_t type) const;
  Expected<void> read_result(gob::Cursor& cursor, Result& result);
  // What is wrong with the value; "" for nothing. `cursor` may have failed as well.
  std::string_view read_field(const Slot& slot, gob::Cursor& cursor, Result& result);
  std::string_view read_headers(gob::Cursor& cursor, Result& result);
  tl::unexpected<Error> corrupt(std::string_view what) const;

  ResultInput& input_;
  Detail detail_;
  gob::TypeTable types_;
  int64_t planned_ = 0;  // type id that slots_ are for
  std::vector<Slot> slots_;
  size_t consumed_ = 0;  // bytes of the message that was handed out
};

}  // namespace carronade::dialects::vegeta
