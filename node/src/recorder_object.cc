#include "recorder_object.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "carronade/result_codec.h"
#include "napi_values.h"
#include "progress_object.h"
#include "value_reader.h"

namespace carronade::node {
namespace {

constexpr double kMostExact = 9007199254740992.0;  // 2^53

// 0 for what is no whole number that a double holds exactly.
uint64_t count_of(const Napi::Value& value) {
  double number = 0;
  if (napi_get_value_double(value.Env(), value, &number) != napi_ok) return 0;
  return number >= 0 && number <= kMostExact ? static_cast<uint64_t>(number) : 0;
}

std::string text_of(const Napi::Value& value) { return bytes_of(value).value_or(""); }

ErrorKind kind_of(const std::string& name) {
  for (int i = 0; i < kErrorKinds; ++i) {
    if (error_kind_name(static_cast<ErrorKind>(i)) == name) return static_cast<ErrorKind>(i);
  }
  return ErrorKind::kReadFailed;
}

Phase phase_of(const std::string& name) {
  for (Phase phase : {Phase::kResolve, Phase::kConnect, Phase::kTls, Phase::kWrite, Phase::kParse,
                      Phase::kTimeout, Phase::kProxy}) {
    if (phase_name(phase) == name) return phase;
  }
  return Phase::kRead;
}

StoppedBy reason_of(const std::string& name) {
  for (StoppedBy why : {StoppedBy::kAmount, StoppedBy::kDuration, StoppedBy::kBailout}) {
    if (stopped_by_name(why) == name) return why;
  }
  return StoppedBy::kUser;
}

Napi::Value ms_value(Napi::Env env, double ms) { return Napi::Number::New(env, ms); }

}  // namespace

Napi::Function RecorderObject::define(Napi::Env env) {
  using Self = RecorderObject;
  return DefineClass(
      env, "Recorder",
      {InstanceMethod<&Self::start>("start"), InstanceMethod<&Self::due_in>("dueIn"),
       InstanceMethod<&Self::refuse>("refuse"), InstanceMethod<&Self::send>("send"),
       InstanceMethod<&Self::first_byte>("firstByte"), InstanceMethod<&Self::answered>("answered"),
       InstanceMethod<&Self::failed>("failed"), InstanceMethod<&Self::opened>("opened"),
       InstanceMethod<&Self::closed>("closed"), InstanceMethod<&Self::bytes_sent>("bytesSent"),
       InstanceMethod<&Self::progress>("progress"), InstanceMethod<&Self::finish>("finish")});
}

RecorderObject::RecorderObject(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<RecorderObject>(info) {
  std::string fault;
  HostRecorder::Options options;
  if (!info[0].IsObject()) {
    fault = "new Recorder(options): an object, please";
  } else {
    const ValueReader in(info[0].As<Napi::Object>(), "options", fault);
    std::optional<double> rate;
    in.count("amount", options.amount);
    in.count("connections", options.connections);
    in.number("rate", rate);
    in.milliseconds("durationMs", options.load_ns);
    options.rate = rate.value_or(0);
    if (options.rate < 0 || options.rate > 1e7) in.fail("rate", "must be from 0 to 10,000,000");
    if (options.load_ns <= 0) in.fail("durationMs", "must be more than 0");
  }
  if (fault.empty()) {
    recorder_ = std::make_unique<HostRecorder>(options);
  } else {
    Napi::Error::New(info.Env(), fault).ThrowAsJavaScriptException();
  }
}

void RecorderObject::start(const Napi::CallbackInfo& /*info*/) {
  if (recorder_ == nullptr || started_) return;
  recorder_->start();
  started_ = running_ = true;
}

Napi::Value RecorderObject::due_in(const Napi::CallbackInfo& info) {
  const int64_t ns = ready() ? recorder_->next_due_in_ns() : INT64_MAX;
  return ms_value(info.Env(), ns == INT64_MAX ? HUGE_VAL : static_cast<double>(ns) / 1e6);
}

void RecorderObject::refuse(const Napi::CallbackInfo& /*info*/) {
  if (ready()) recorder_->refuse_due();
}

Napi::Value RecorderObject::send(const Napi::CallbackInfo& info) {
  const HostRecorder::Ticket ticket = ready() ? recorder_->send() : 0;
  return {info.Env(), number(info.Env(), ticket)};
}

void RecorderObject::first_byte(const Napi::CallbackInfo& info) {
  if (ready()) recorder_->first_byte(count_of(info[0]));
}

Napi::Value RecorderObject::answered(const Napi::CallbackInfo& info) {
  const HostRecorder::Ticket ticket = count_of(info[0]);
  const int64_t age_ns = ready() ? recorder_->age_ns(ticket) : 0;
  HostRecorder::Answer answer;
  answer.status = static_cast<uint16_t>(std::min<uint64_t>(count_of(info[1]), 999));
  answer.body_bytes = count_of(info[2]);
  answer.wire_bytes = count_of(info[3]);
  const bool counted = ready() && recorder_->answered(ticket, answer);
  return ms_value(info.Env(), counted ? static_cast<double>(age_ns) / 1e6 : -1);
}

Napi::Value RecorderObject::failed(const Napi::CallbackInfo& info) {
  const HostRecorder::Ticket ticket = count_of(info[0]);
  const int64_t age_ns = ready() ? recorder_->age_ns(ticket) : 0;
  const bool counted = ready() && recorder_->failed(ticket, kind_of(text_of(info[1])),
                                                    phase_of(text_of(info[2])), text_of(info[3]));
  return ms_value(info.Env(), counted ? static_cast<double>(age_ns) / 1e6 : -1);
}

void RecorderObject::opened(const Napi::CallbackInfo& info) {
  if (ready()) recorder_->opened(info[0].IsBoolean() && info[0].As<Napi::Boolean>().Value());
}

void RecorderObject::closed(const Napi::CallbackInfo& /*info*/) {
  if (ready()) recorder_->closed();
}

void RecorderObject::bytes_sent(const Napi::CallbackInfo& info) {
  if (ready()) recorder_->bytes_sent(count_of(info[0]));
}

Napi::Value RecorderObject::progress(const Napi::CallbackInfo& info) {
  const Progress now = recorder_ != nullptr ? recorder_->progress() : Progress{};
  return {info.Env(), progress_object(info.Env(), now)};
}

Napi::Value RecorderObject::finish(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!ready()) {
    Napi::Error::New(env, "finish(): once, and after start()").ThrowAsJavaScriptException();
    return {};
  }
  running_ = false;
  const std::string state = encode_result(recorder_->finish(reason_of(text_of(info[0]))));
  return Napi::Buffer<char>::Copy(env, state.data(), state.size());
}

}  // namespace carronade::node
