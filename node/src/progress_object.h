// Progress as JavaScript sees it.
#pragma once

#include "carronade/observer.h"
#include "napi_values.h"
#include "tally_source.h"

namespace carronade::node {

inline napi_value progress_object(napi_env env, const Progress& now) {
  napi_value object = nullptr;
  napi_create_object(env, &object);
  set_field(env, object, "elapsedMs", milliseconds(env, now.elapsed_ns));
  set_field(env, object, "sent", number(env, now.sent));
  set_field(env, object, "answered", number(env, now.answered));
  set_field(env, object, "errors", number(env, now.errors));
  set_field(env, object, "bytes", number(env, now.bytes_received));
  set_field(env, object, "connections", number(env, now.connections));
  return object;
}

// The sums of all workers since the start: {answered, errors, lost, latencyMs}.
inline napi_value tally_object(napi_env env, const Tallies& tallies) {
  uint64_t answered = 0;
  uint64_t errors = 0;
  uint64_t lost = 0;
  int64_t latency_ns = 0;
  for (const auto& tally : tallies) {
    answered += tally->answered();
    errors += tally->errors();
    lost += tally->lost();
    latency_ns += tally->latency_ns();
  }
  napi_value object = nullptr;
  napi_create_object(env, &object);
  set_field(env, object, "answered", number(env, answered));
  set_field(env, object, "errors", number(env, errors));
  set_field(env, object, "lost", number(env, lost));
  set_field(env, object, "latencyMs", milliseconds(env, latency_ns));
  return object;
}

}  // namespace carronade::node
