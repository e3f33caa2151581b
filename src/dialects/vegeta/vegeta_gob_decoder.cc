#include "dialects/vegeta/vegeta_gob_decoder.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace carronade::dialects::vegeta {
namespace {

constexpr std::string_view kNames[] = {"Attack",  "Seq",      "Code",    "Timestamp",
                                       "Latency", "BytesOut", "BytesIn", "Error",
                                       "Body",    "Method",   "URL",     "Headers"};
// Go counts seconds from the year 1.
constexpr int64_t kSecondsToUnix = 62'135'596'800;
constexpr int64_t kSecond = 1'000'000'000;

uint64_t big_endian(std::string_view bytes) {
  uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<uint8_t>(byte);
  return number;
}

// Version 1 has 15 bytes; 2 has one more, seconds of the zone, which no zone of today needs.
std::string_view read_time(std::string_view bytes, Result& result) {
  const bool known = (bytes.size() == 15 && bytes[0] == 1) || (bytes.size() == 16 && bytes[0] == 2);
  if (!known) return "Timestamp is no time";
  const auto seconds = static_cast<int64_t>(big_endian(bytes.substr(1, 8)) - kSecondsToUnix);
  const auto ns = static_cast<int64_t>(big_endian(bytes.substr(9, 4)));
  constexpr int64_t kMostSeconds = std::numeric_limits<int64_t>::max() / kSecond - 1;
  if (ns >= kSecond) return "Timestamp is no time";
  if (seconds > kMostSeconds || seconds < -kMostSeconds) return "Timestamp is out of range";
  result.timestamp_unix_ns = seconds * kSecond + ns;
  result.zone_minutes = static_cast<int16_t>(big_endian(bytes.substr(13, 2)));
  // Beyond a day it is no zone; the moment is right without it.
  if (result.zone_minutes <= -24 * 60 || result.zone_minutes >= 24 * 60) result.zone_minutes = -1;
  return "";
}

}  // namespace

GobDecoder::GobDecoder(ResultInput& input, Detail detail)
    : input_(input), detail_(detail), types_([this](gob::Cursor& cursor) {
        std::string_view payload;
        Expected<bool> there = read_message(payload);
        if (!there || !*there) return false;
        cursor = gob::Cursor(payload);
        return true;
      }) {}

tl::unexpected<Error> GobDecoder::corrupt(std::string_view what) const {
  return unexpected(fmt::format("corrupt gob stream at byte {}: {}", input_.offset(), what));
}

Expected<bool> GobDecoder::read_message(std::string_view& payload) {
  input_.skip(std::exchange(consumed_, 0));
  const auto cut_off = [this]() -> Expected<bool> {
    if (input_.stopped()) return false;
    if (!input_.read_error().empty()) return unexpected("read: " + input_.read_error());
    return corrupt("the stream ends in the middle of a result");
  };
  if (!input_.need(1)) {
    if (input_.read_error().empty()) return false;
    return cut_off();
  }
  const auto first = static_cast<uint8_t>(input_.rest()[0]);
  const size_t head = first < 128 ? 1 : 257U - first;
  if (head > 9) return corrupt("no length of a message");
  if (!input_.need(head)) return cut_off();
  // A stream begins with a definition, whose id takes a byte for its length first. Other files are
  // found out by that, without waiting for as much as their first byte seems to announce.
  if (input_.offset() == 0 && input_.need(head + 1)) {
    constexpr uint8_t kLeastLength = 0xf8;
    if (static_cast<uint8_t>(input_.rest()[head]) < kLeastLength) return corrupt("no definition");
  }
  gob::Cursor cursor(input_.rest().substr(0, head));
  const uint64_t length = cursor.unsigned_number();
  if (length == 0 || length > ResultInput::kMostRecordBytes) {
    return corrupt(fmt::format("a message of {} bytes", length));
  }
  if (!input_.need(head + length)) return cut_off();
  payload = input_.rest().substr(head, length);
  consumed_ = head + length;
  return true;
}

Expected<bool> GobDecoder::next(Result& result) {
  while (true) {
    std::string_view payload;
    Expected<bool> there = read_message(payload);
    if (!there || !*there) return there;
    gob::Cursor cursor(payload);
    const int64_t id = cursor.signed_number();
    if (id < 0) {
      if (!types_.define(id, cursor) || !cursor.at_end()) {
        return corrupt("no definition of a type");
      }
      continue;
    }
    if (!cursor.ok()) return corrupt("an empty message");
    if (const Expected<void> planned = plan(id); !planned) return unexpected(planned.error());
    if (const Expected<void> read = read_result(cursor, result); !read) {
      return unexpected(read.error());
    }
    return true;
  }
}

bool GobDecoder::fits(Field field, int64_t type) const {
  const gob::Type* own = types_.find(type);
  switch (field) {
    case Field::kAttack:
    case Field::kError:
    case Field::kMethod:
    case Field::kUrl:
      return type == gob::kString;
    case Field::kSeq:
    case Field::kCode:
    case Field::kBytesOut:
    case Field::kBytesIn:
      return type == gob::kUint;
    case Field::kLatency:
      return type == gob::kInt;
    case Field::kBody:
      return type == gob::kBytes;
    case Field::kTimestamp:
      return own != nullptr && own->kind == gob::Kind::kOpaque;
    case Field::kHeaders: {
      if (own == nullptr || own->kind != gob::Kind::kMap || own->key != gob::kString) return false;
      const gob::Type* values = types_.find(own->element);
      return values != nullptr && values->kind == gob::Kind::kSlice &&
             values->element == gob::kString;
    }
    case Field::kUnknown:
      return true;
  }
  return false;
}

Expected<void> GobDecoder::plan(int64_t type) {
  if (planned_ == type) return {};
  const gob::Type* own = types_.find(type);
  if (own == nullptr || own->kind != gob::Kind::kStruct) {
    return corrupt(fmt::format("a value of type {}, which is no struct of this stream", type));
  }
  slots_.clear();
  bool any = false;
  for (const gob::FieldType& field : own->fields) {
    Slot slot{Field::kUnknown, field.type};
    for (size_t i = 0; i < std::size(kNames); ++i) {
      if (field.name == kNames[i]) slot.field = static_cast<Field>(i);
    }
    if (!fits(slot.field, field.type)) {
      return corrupt(fmt::format("the field {} has the wrong type", field.name));
    }
    any = any || slot.field != Field::kUnknown;
    slots_.push_back(slot);
  }
  if (!any) return corrupt("a struct without any field of a result");
  planned_ = type;
  return {};
}

Expected<void> GobDecoder::read_result(gob::Cursor& cursor, Result& result) {
  clear_result(result);
  size_t after = 0;  // number of the last field, plus one
  while (true) {
    const uint64_t step = cursor.unsigned_number();
    if (!cursor.ok()) return corrupt("a result without an end");
    if (step == 0) break;
    if (step > slots_.size() - after) return corrupt("a field that its type does not have");
    after += step;
    const std::string_view wrong = read_field(slots_[after - 1], cursor, result);
    if (!wrong.empty()) return corrupt(wrong);
    if (!cursor.ok()) return corrupt("a field is cut off");
  }
  if (!cursor.at_end()) return corrupt("bytes behind a result");
  return {};
}

std::string_view GobDecoder::read_field(const Slot& slot, gob::Cursor& cursor, Result& result) {
  switch (slot.field) {
    case Field::kAttack:
      result.attack = cursor.bytes();
      break;
    case Field::kSeq:
      result.seq = cursor.unsigned_number();
      break;
    case Field::kCode: {
      const uint64_t code = cursor.unsigned_number();
      if (code > std::numeric_limits<uint16_t>::max()) return "Code is out of range";
      result.code = static_cast<uint16_t>(code);
      break;
    }
    case Field::kTimestamp: {
      const std::string_view bytes = cursor.bytes();
      return cursor.ok() ? read_time(bytes, result) : "";
    }
    case Field::kLatency:
      result.latency_ns = cursor.signed_number();
      break;
    case Field::kBytesOut:
      result.bytes_out = cursor.unsigned_number();
      break;
    case Field::kBytesIn:
      result.bytes_in = cursor.unsigned_number();
      break;
    case Field::kError:
      result.error = cursor.bytes();
      break;
    case Field::kBody: {
      const std::string_view body = cursor.bytes();
      if (detail_ == Detail::kAll) result.body = body;
      result.has_body = true;
      break;
    }
    case Field::kMethod:
      result.method = cursor.bytes();
      break;
    case Field::kUrl:
      result.url = cursor.bytes();
      break;
    case Field::kHeaders:
      if (detail_ == Detail::kAll) return read_headers(cursor, result);
      types_.skip(slot.type, cursor);
      break;
    case Field::kUnknown:
      types_.skip(slot.type, cursor);
      break;
  }
  return "";
}

std::string_view GobDecoder::read_headers(gob::Cursor& cursor, Result& result) {
  HeaderAdder adder(result.headers);
  result.has_headers = true;
  const uint64_t names = cursor.count();
  for (uint64_t i = 0; i < names && cursor.ok(); ++i) {
    const std::string_view name = cursor.bytes();
    const uint64_t values = cursor.count();
    for (uint64_t k = 0; k < values && cursor.ok(); ++k) {
      if (!adder.add(name, cursor.bytes())) return "too many headers";
    }
  }
  return "";
}

}  // namespace carronade::dialects::vegeta
