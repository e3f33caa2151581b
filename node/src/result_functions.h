// `binding.resultDocument`, `mergeStates` and `hdr`: what becomes of the states that onEnd gives.
#pragma once

#include <napi.h>

namespace carronade::node {

// A state is the Buffer of encode_result(). What is none of this version is thrown as an Error.
Napi::Value document_of_states(const Napi::CallbackInfo& info);
Napi::Value merge_of_states(const Napi::CallbackInfo& info);
// latencyByMs(states): how many latencies were of 0, 1, 2 … whole ms, {ms: count}.
Napi::Value latency_by_ms_of_states(const Napi::CallbackInfo& info);
Napi::Value hdr_of_states(const Napi::CallbackInfo& info);

}  // namespace carronade::node
