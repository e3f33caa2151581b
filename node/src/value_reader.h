// Fields of a plain JavaScript object, read with checks. The first fault is kept as one line
// ("spec.connections must be a whole number from 0 to 4294967295"); reading goes on, so that
// callers look at the end only. JavaScript thread.
#pragma once

#include <napi.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "napi_values.h"

namespace carronade::node {

class ValueReader {
 public:
  // `where` is what a fault calls the object: "spec", "spec.targets[0]".
  ValueReader(Napi::Object object, std::string where, std::string& fault)
      : object_(object), where_(std::move(where)), fault_(fault) {}

  // Each leaves `out` as it is when the field is undefined or null.
  template <class T>
  void count(const char* name, T& out) const {
    const auto most = static_cast<double>(std::numeric_limits<T>::max());
    if (const auto number = whole(name, most)) out = static_cast<T>(*number);
  }
  template <class T>
  void count(const char* name, std::optional<T>& out) const {
    T value{};
    if (given(name).IsUndefined()) return;
    count(name, value);
    out = value;
  }
  // Milliseconds, fractions allowed, as nanoseconds.
  void milliseconds(const char* name, int64_t& out_ns) const;
  void milliseconds(const char* name, std::optional<int64_t>& out_ns) const;
  void number(const char* name, std::optional<double>& out) const;
  void boolean(const char* name, bool& out) const;
  // A string as UTF-8, or the bytes of a Buffer.
  void bytes(const char* name, std::string& out) const;
  void bytes(const char* name, std::optional<std::string>& out) const;
  void list_of_bytes(const char* name, std::vector<std::string>& out) const;

  // The field, or undefined when it is null or not there.
  Napi::Value given(const char* name) const;
  // Calls read(value, "where.name[i]") for each entry of the array.
  template <class Read>
  void each(const char* name, Read read) const {
    const Napi::Value value = given(name);
    if (value.IsUndefined()) return;
    if (!value.IsArray()) return fail(name, "must be an array");
    const auto array = value.As<Napi::Array>();
    for (uint32_t i = 0; i < array.Length(); ++i) {
      read(Napi::Value(array.Env(), element(array.Env(), array, i)),
           path(name) + "[" + std::to_string(i) + "]");
    }
  }

  std::string path(const char* name) const { return where_ + "." + name; }
  void fail(const char* name, std::string_view text) const { fail_at(path(name), text); }
  void fail_at(const std::string& place, std::string_view text) const;
  std::string& fault() const { return fault_; }

 private:
  std::optional<double> whole(const char* name, double most) const;
  std::optional<double> finite(const char* name) const;

  Napi::Object object_;
  std::string where_;
  std::string& fault_;
};

// The bytes of a string (UTF-8) or of a Buffer or Uint8Array; nothing for other values.
std::optional<std::string> bytes_of(const Napi::Value& value);

}  // namespace carronade::node
