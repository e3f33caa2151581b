// The Node-API module: what `require('carronade.node')` gives, once for each environment.
#include <napi.h>

#include "engine.h"
#include "recorder_object.h"
#include "result_functions.h"

namespace carronade::node {
namespace {

// process.exit() in the middle of a run: threads that go on while the process takes itself apart
// would use what is no longer there.
void halt_at_exit(Napi::Env env) {
  const Napi::Value process = env.Global().Get("process");
  if (process.IsEmpty() || !process.IsObject()) return;
  const Napi::Value on = process.As<Napi::Object>().Get("once");
  if (on.IsEmpty() || !on.IsFunction()) return;
  const auto halt = Napi::Function::New(env, [](const Napi::CallbackInfo& info) {
    for (Engine* engine : info.Env().GetInstanceData<Running>()->engines) engine->halt();
  });
  on.As<Napi::Function>().Call(process, {Napi::String::New(env, "exit"), halt});
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new Running);
  exports.Set("version", CARRONADE_VERSION);
  exports.Set("Engine", Engine::define(env));
  exports.Set("Recorder", RecorderObject::define(env));
  exports.Set("resultDocument", Napi::Function::New<document_of_states>(env, "resultDocument"));
  exports.Set("mergeStates", Napi::Function::New<merge_of_states>(env, "mergeStates"));
  exports.Set("latencyByMs", Napi::Function::New<latency_by_ms_of_states>(env, "latencyByMs"));
  exports.Set("hdr", Napi::Function::New<hdr_of_states>(env, "hdr"));
  halt_at_exit(env);
  return exports;
}

}  // namespace
}  // namespace carronade::node

static Napi::Object init_carronade(Napi::Env env, Napi::Object exports) {
  return carronade::node::init(env, exports);
}

NODE_API_MODULE(carronade, init_carronade)
