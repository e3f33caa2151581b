// `binding.Recorder`: a HostRecorder, for requests that Node's own http client sends.
#pragma once

#include <napi.h>

#include <memory>

#include "carronade/host_recorder.h"

namespace carronade::node {

class RecorderObject final : public Napi::ObjectWrap<RecorderObject> {
 public:
  static Napi::Function define(Napi::Env env);
  // new Recorder({amount, connections, rate, durationMs}); what is not given is none. It starts
  // with start(); calls before that, and behind finish(), count nothing.
  explicit RecorderObject(const Napi::CallbackInfo& info);

 private:
  void start(const Napi::CallbackInfo& info);
  // ms until the next request of the schedule; Infinity when there is none.
  Napi::Value due_in(const Napi::CallbackInfo& info);
  void refuse(const Napi::CallbackInfo& info);
  // A ticket, or 0 when there is nothing to send.
  Napi::Value send(const Napi::CallbackInfo& info);
  void first_byte(const Napi::CallbackInfo& info);
  // (ticket, status, bodyBytes, wireBytes): the latency in ms, -1 when the request has ended.
  Napi::Value answered(const Napi::CallbackInfo& info);
  // (ticket, kind, phase, text): the same. Names as in error_kind_name() and phase_name().
  Napi::Value failed(const Napi::CallbackInfo& info);
  void opened(const Napi::CallbackInfo& info);
  void closed(const Napi::CallbackInfo& info);
  void bytes_sent(const Napi::CallbackInfo& info);
  Napi::Value progress(const Napi::CallbackInfo& info);
  // ("amount" | "duration" | "user"): the state, a Buffer.
  Napi::Value finish(const Napi::CallbackInfo& info);

  bool ready() const { return recorder_ != nullptr && running_; }

  std::unique_ptr<HostRecorder> recorder_;  // null when the options were wrong
  bool started_ = false;
  bool running_ = false;  // until finish()
};

}  // namespace carronade::node
