#include "dialects/vegeta/vegeta_gob_encoder.h"

#include "dialects/vegeta/vegeta_decoders.h"
#include "dialects/vegeta/vegeta_gob_wire.h"

namespace carronade::dialects::vegeta {
namespace {

using gob::append_bytes;
using gob::append_signed;
using gob::append_unsigned;

constexpr int64_t kResultId = 65;
constexpr int64_t kTimeId = 66;
constexpr int64_t kStringsId = 67;
constexpr int64_t kHeaderId = 68;

struct FieldOfResult {
  std::string_view name;
  int64_t type;
};
constexpr FieldOfResult kFields[] = {
    {"Attack", gob::kString}, {"Seq", gob::kUint},     {"Code", gob::kUint},
    {"Timestamp", kTimeId},   {"Latency", gob::kInt},  {"BytesOut", gob::kUint},
    {"BytesIn", gob::kUint},  {"Error", gob::kString}, {"Body", gob::kBytes},
    {"Method", gob::kString}, {"URL", gob::kString},   {"Headers", kHeaderId},
};
enum FieldNumber {
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
};

// What a definition's wireType has at which place.
enum Definition : uint64_t { kSlice = 2, kStruct = 3, kMap = 4, kEncodesItself = 5 };

// The head of a definition: negated id, kind, name and id again. A type of no name has none here.
void begin_definition(int64_t id, Definition kind, std::string_view name, std::string& out) {
  append_signed(-id, out);
  append_unsigned(kind, out);
  append_unsigned(1, out);
  if (!name.empty()) {
    append_unsigned(1, out);
    append_bytes(name, out);
  }
  append_unsigned(name.empty() ? 2 : 1, out);
  append_signed(id, out);
  append_unsigned(0, out);
}

void append_definition_field(int64_t type, std::string& out) {
  append_unsigned(1, out);
  append_signed(type, out);
}

// Seconds since the year 1, nanoseconds and minutes of the zone, behind a version.
std::string time_bytes(int64_t unix_ns, int16_t zone_minutes) {
  constexpr int64_t kSecond = 1'000'000'000;
  constexpr int64_t kSecondsToUnix = 62'135'596'800;
  int64_t seconds = unix_ns / kSecond;
  int64_t ns = unix_ns % kSecond;
  if (ns < 0) {
    ns += kSecond;
    --seconds;
  }
  std::string bytes(1, '\1');
  const auto big_endian = [&bytes](auto number, int count) {
    for (int i = count - 1; i >= 0; --i) {
      bytes += static_cast<char>(static_cast<uint64_t>(number) >> (8 * i) & 0xff);
    }
  };
  big_endian(seconds + kSecondsToUnix, 8);
  big_endian(ns, 4);
  big_endian(zone_minutes, 2);
  return bytes;
}

}  // namespace

void GobEncoder::append_message(std::string& out) {
  append_bytes(payload_, out);
  payload_.clear();
}

void GobEncoder::append_definitions(std::string& out) {
  begin_definition(kResultId, kStruct, "Result", payload_);
  append_unsigned(1, payload_);
  append_unsigned(std::size(kFields), payload_);
  for (const FieldOfResult& field : kFields) {
    append_unsigned(1, payload_);
    append_bytes(field.name, payload_);
    append_definition_field(field.type, payload_);
    append_unsigned(0, payload_);
  }
  payload_.append(2, '\0');
  append_message(out);

  begin_definition(kTimeId, kEncodesItself, "Time", payload_);
  payload_.append(2, '\0');
  append_message(out);

  begin_definition(kHeaderId, kMap, "Header", payload_);
  append_definition_field(gob::kString, payload_);
  append_definition_field(kStringsId, payload_);
  payload_.append(2, '\0');
  append_message(out);

  begin_definition(kStringsId, kSlice, "", payload_);
  append_definition_field(gob::kString, payload_);
  payload_.append(2, '\0');
  append_message(out);
}

void GobEncoder::begin_field(int number) {
  append_unsigned(static_cast<uint64_t>(number - last_field_), payload_);
  last_field_ = number;
}

void GobEncoder::unsigned_field(int number, uint64_t value) {
  if (value == 0) return;
  begin_field(number);
  append_unsigned(value, payload_);
}

void GobEncoder::bytes_field(int number, std::string_view value) {
  if (value.empty()) return;
  begin_field(number);
  append_bytes(value, payload_);
}

void GobEncoder::append_headers(const Result& result) {
  begin_field(kHeaders);
  const HeaderOrder order(result.headers, order_);
  append_unsigned(order.names(), payload_);
  order.for_each_name([&](std::string_view name, size_t first, size_t last) {
    append_bytes(name, payload_);
    append_unsigned(last - first, payload_);
    for (size_t i = first; i < last; ++i) append_bytes(order.at(i).value, payload_);
  });
}

void GobEncoder::encode(const Result& result, std::string& out) {
  if (!defined_) append_definitions(out);
  defined_ = true;
  last_field_ = -1;
  append_signed(kResultId, payload_);
  bytes_field(kAttack, result.attack);
  unsigned_field(kSeq, result.seq);
  unsigned_field(kCode, result.code);
  bytes_field(kTimestamp, time_bytes(result.timestamp_unix_ns, result.zone_minutes));
  if (result.latency_ns != 0) {
    begin_field(kLatency);
    append_signed(result.latency_ns, payload_);
  }
  unsigned_field(kBytesOut, result.bytes_out);
  unsigned_field(kBytesIn, result.bytes_in);
  bytes_field(kError, result.error);
  bytes_field(kBody, result.body);
  bytes_field(kMethod, result.method);
  bytes_field(kUrl, result.url);
  if (result.has_headers) append_headers(result);
  append_unsigned(0, payload_);
  append_message(out);
}

}  // namespace carronade::dialects::vegeta
