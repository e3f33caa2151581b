// Node-API without the checks of Napi's classes, which end the process when a worker_thread is
// terminated at the wrong moment. Here what cannot be made is nullptr, and what cannot be read is
// undefined; the call that follows then does nothing.
#pragma once

#include <node_api.h>

#include <cstdint>
#include <string_view>

namespace carronade::node {

inline napi_value number(napi_env env, uint64_t value) {
  napi_value result = nullptr;
  if (value <= INT32_MAX) {
    napi_create_uint32(env, static_cast<uint32_t>(value), &result);
  } else {
    napi_create_double(env, static_cast<double>(value), &result);
  }
  return result;
}

inline napi_value milliseconds(napi_env env, int64_t ns) {
  napi_value result = nullptr;
  napi_create_double(env, static_cast<double>(ns) / 1e6, &result);
  return result;
}

inline napi_value utf8(napi_env env, std::string_view text) {
  napi_value result = nullptr;
  napi_create_string_utf8(env, text.data(), text.size(), &result);
  return result;
}

inline napi_value latin1(napi_env env, std::string_view text) {
  napi_value result = nullptr;
  napi_create_string_latin1(env, text.data(), text.size(), &result);
  return result;
}

inline napi_value undefined(napi_env env) {
  napi_value result = nullptr;
  napi_get_undefined(env, &result);
  return result;
}

// Undefined, too, when a getter threw: what it threw is pending, and seen in JavaScript.
inline napi_value field(napi_env env, napi_value object, const char* name) {
  napi_value result = nullptr;
  const napi_status status = napi_get_named_property(env, object, name, &result);
  return status == napi_ok ? result : undefined(env);
}

inline napi_value element(napi_env env, napi_value array, uint32_t index) {
  napi_value result = nullptr;
  const napi_status status = napi_get_element(env, array, index, &result);
  return status == napi_ok ? result : undefined(env);
}

inline void set_field(napi_env env, napi_value object, const char* name, napi_value value) {
  napi_set_named_property(env, object, name, value);
}

}  // namespace carronade::node
