#include "result_functions.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carronade/result_codec.h"
#include "carronade/result_document.h"
#include "value_reader.h"

namespace carronade::node {
namespace {

Napi::Value throw_error(Napi::Env env, const std::string& text) {
  Napi::Error::New(env, text).ThrowAsJavaScriptException();
  return {};
}

// The states of the first argument, merged when there are several.
Expected<RunResult> read_states(const Napi::CallbackInfo& info) {
  const Napi::Value list = info[0];
  if (!list.IsArray() || list.As<Napi::Array>().Length() == 0) {
    return unexpected("the states must be an array of at least one Buffer");
  }
  const auto states = list.As<Napi::Array>();
  std::vector<RunResult> parts;
  for (uint32_t i = 0; i < states.Length(); ++i) {
    const std::optional<std::string> bytes =
        bytes_of(Napi::Value(info.Env(), element(info.Env(), states, i)));
    const std::string place = "states[" + std::to_string(i) + "]";
    if (!bytes) return unexpected(place + " must be a Buffer");
    Expected<RunResult> part = decode_result(*bytes);
    if (!part) return unexpected(place + ": " + part.error().text);
    parts.push_back(std::move(*part));
  }
  return parts.size() == 1 ? std::move(parts.front()) : merge_results(parts);
}

Expected<DocumentFacts> read_facts(const Napi::Value& value) {
  DocumentFacts facts;
  if (!value.IsObject()) return facts;
  std::string fault;
  const ValueReader in(value.As<Napi::Object>(), "facts", fault);
  in.list_of_bytes("urls", facts.urls);
  in.bytes("socketPath", facts.socket_path);
  in.bytes("title", facts.title);
  in.count("connections", facts.connections);
  in.count("pipelining", facts.pipelining);
  in.count("workers", facts.workers);
  in.count("resets", facts.resets);
  in.boolean("serviceTime", facts.service_time);
  if (!fault.empty()) return unexpected(std::move(fault));
  return facts;
}

// The counts of the full windows; a run shorter than one window has its only count scaled up.
Histogram window_counts(const RunResult& result, uint64_t Window::*count) {
  Histogram histogram;
  for (const Window& window : result.samples) {
    if (window.width_ns < result.sample_interval_ns) continue;
    histogram.record(static_cast<int64_t>(window.*count));
  }
  if (!histogram.empty() || result.samples.empty()) return histogram;
  const Window& only = result.samples.front();
  if (only.width_ns <= 0) return histogram;
  const double scale =
      static_cast<double>(result.sample_interval_ns) / static_cast<double>(only.width_ns);
  histogram.record(std::llround(static_cast<double>(only.*count) * scale));
  return histogram;
}

}  // namespace

Napi::Value document_of_states(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Expected<RunResult> result = read_states(info);
  if (!result) return throw_error(env, result.error().text);
  const Expected<DocumentFacts> facts = read_facts(info[1]);
  if (!facts) return throw_error(env, facts.error().text);
  return Napi::String::New(env, result_document(*result, *facts));
}

Napi::Value merge_of_states(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Expected<RunResult> result = read_states(info);
  if (!result) return throw_error(env, result.error().text);
  const std::string state = encode_result(*result);
  return Napi::Buffer<char>::Copy(env, state.data(), state.size());
}

Napi::Value latency_by_ms_of_states(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Expected<RunResult> result = read_states(info);
  if (!result) return throw_error(env, result.error().text);
  auto object = Napi::Object::New(env);
  int64_t ms = -1;
  uint64_t count = 0;
  const auto flush = [&] {
    if (count > 0) object.Set(std::to_string(ms), static_cast<double>(count));
  };
  for (int i = 0; i < Histogram::bucket_count(); ++i) {
    const uint64_t here = result->latency.bucket(i);
    if (here == 0) continue;
    const int64_t its_ms = Histogram::bucket_low(i) / 1'000'000;
    if (its_ms != ms) flush();
    count = its_ms == ms ? count + here : here;
    ms = its_ms;
  }
  flush();
  return object;
}

Napi::Value hdr_of_states(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Expected<RunResult> result = read_states(info);
  if (!result) return throw_error(env, result.error().text);
  auto object = Napi::Object::New(env);
  object.Set("latencies", hdr_base64(result->latency));
  object.Set("requests", hdr_base64(window_counts(*result, &Window::answered)));
  object.Set("throughput", hdr_base64(window_counts(*result, &Window::bytes_received)));
  return object;
}

}  // namespace carronade::node
