#include "value_reader.h"

#include <cmath>
#include <cstdio>
#include <utility>

namespace carronade::node {

std::optional<std::string> bytes_of(const Napi::Value& value) {
  if (value.IsString()) return value.As<Napi::String>().Utf8Value();
  if (!value.IsTypedArray()) return std::nullopt;
  const auto array = value.As<Napi::TypedArray>();
  if (array.TypedArrayType() != napi_uint8_array) return std::nullopt;
  const auto octets = array.As<Napi::Uint8Array>();
  return std::string(reinterpret_cast<const char*>(octets.Data()), octets.ByteLength());
}

Napi::Value ValueReader::given(const char* name) const {
  const Napi::Env env = object_.Env();
  const Napi::Value value(env, field(env, object_, name));
  return value.IsNull() ? env.Undefined() : value;
}

void ValueReader::fail_at(const std::string& place, std::string_view text) const {
  if (fault_.empty()) fault_ = place + " " + std::string(text);
}

std::optional<double> ValueReader::finite(const char* name) const {
  const Napi::Value value = given(name);
  if (value.IsUndefined()) return std::nullopt;
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : NAN;
  if (std::isfinite(number)) return number;
  fail(name, "must be a number");
  return std::nullopt;
}

std::optional<double> ValueReader::whole(const char* name, double most) const {
  const std::optional<double> number = finite(name);
  // Rounded up to a power of two, the largest value of a 64-bit type would not fit into it.
  if (!number || (*number >= 0 && *number == std::floor(*number) && *number <= most &&
                  *number <= 9007199254740992.0)) {
    return number;
  }
  char text[80];
  std::snprintf(text, sizeof text, "must be a whole number from 0 to %.0f",
                std::fmin(most, 9007199254740992.0));
  fail(name, text);
  return std::nullopt;
}

void ValueReader::milliseconds(const char* name, int64_t& out_ns) const {
  const std::optional<double> number = finite(name);
  if (!number) return;
  const double ns = std::round(*number * 1e6);
  if (std::fabs(ns) > 9e18) return fail(name, "is out of range");
  out_ns = static_cast<int64_t>(ns);
}

void ValueReader::milliseconds(const char* name, std::optional<int64_t>& out_ns) const {
  if (given(name).IsUndefined()) return;
  int64_t value = 0;
  milliseconds(name, value);
  out_ns = value;
}

void ValueReader::number(const char* name, std::optional<double>& out) const {
  if (const auto number = finite(name)) out = number;
}

void ValueReader::boolean(const char* name, bool& out) const {
  const Napi::Value value = given(name);
  if (value.IsUndefined()) return;
  if (!value.IsBoolean()) return fail(name, "must be true or false");
  out = value.As<Napi::Boolean>().Value();
}

void ValueReader::bytes(const char* name, std::string& out) const {
  const Napi::Value value = given(name);
  if (value.IsUndefined()) return;
  std::optional<std::string> text = bytes_of(value);
  if (!text) return fail(name, "must be a string or a Buffer");
  out = std::move(*text);
}

void ValueReader::bytes(const char* name, std::optional<std::string>& out) const {
  if (given(name).IsUndefined()) return;
  std::string text;
  bytes(name, text);
  out = std::move(text);
}

void ValueReader::list_of_bytes(const char* name, std::vector<std::string>& out) const {
  each(name, [&](const Napi::Value& value, const std::string& place) {
    std::optional<std::string> text = bytes_of(value);
    if (!text) return fail_at(place, "must be a string or a Buffer");
    out.push_back(std::move(*text));
  });
}

}  // namespace carronade::node
