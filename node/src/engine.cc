#include "engine.h"

#include <utility>

#include "carronade/result_codec.h"
#include "hook_source.h"
#include "napi_values.h"
#include "progress_object.h"
#include "spec_reader.h"

namespace carronade::node {
namespace {

// With hooks a turn that had something to tell is often followed by another: looking again is
// cheaper than another round of Node's loop, which must not be kept waiting for long, though.
constexpr int kMostTurns = 4;

void throw_error(Napi::Env env, const std::string& text) {
  Napi::Error::New(env, text).ThrowAsJavaScriptException();
}

// Of the spec: whether progress() has `told`.
bool counts_answers(const Napi::Object& spec) {
  const Napi::Value value(spec.Env(), field(spec.Env(), spec, "told"));
  return value.IsBoolean() && value.As<Napi::Boolean>().Value();
}

Running& running(Napi::Env env) { return *env.GetInstanceData<Running>(); }

}  // namespace

// Looks up the targets' names on a thread of Node's pool.
class Engine::NameLookup final : public Napi::AsyncWorker {
 public:
  NameLookup(Napi::Env env, Engine& engine) : Napi::AsyncWorker(env), engine_(engine) {}
  void Execute() override { engine_.run_->resolve(); }
  void OnOK() override { engine_.open_in_loop(); }

 private:
  Engine& engine_;
};

Napi::Function Engine::define(Napi::Env env) {
  return DefineClass(
      env, "Engine",
      {InstanceAccessor<&Engine::warnings>("warnings"),
       InstanceMethod<&Engine::progress>("progress"), InstanceMethod<&Engine::run>("run"),
       InstanceMethod<&Engine::stop>("stop"), InstanceMethod<&Engine::destroy>("destroy")});
}

Engine::Engine(const Napi::CallbackInfo& info) : Napi::ObjectWrap<Engine>(info) {
  if (auto done = prepare(info); !done) throw_error(info.Env(), done.error().text);
}

Expected<void> Engine::prepare(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsObject() || !info[1].IsObject()) {
    return unexpected("new Engine(spec, hooks): both must be objects");
  }
  Expected<RunSpec> spec = read_spec(info[0].As<Napi::Object>());
  if (!spec) return unexpected(spec.error());
  Expected<Hooks> hooks = read_hooks(info[1].As<Napi::Object>());
  if (!hooks) return unexpected(hooks.error());

  one_worker_ = spec->workers == 1;
  if (hooks->any_direct() && !one_worker_) {
    return unexpected("hooks next, response and loss are called in Node's loop: workers must be 1");
  }
  listener_ = std::make_unique<RunListener>(!hooks->error.IsEmpty());
  const bool direct = hooks->any_direct();
  hooks->give_to(Value());
  calls_ = std::make_unique<HookCalls>(env, std::move(*hooks));
  add_source(*spec, direct, counts_answers(info[0].As<Napi::Object>()));
  auto run = Run::create(std::move(*spec), listener_.get());
  if (!run) return unexpected(run.error());
  run_ = std::move(*run);
  warnings_ = run_->warnings();
  return {};
}

void Engine::add_source(RunSpec& spec, bool direct, bool counts) {
  constexpr uint32_t kMostWorkers = 1024;
  counts = counts && spec.workers <= kMostWorkers;  // others are refused
  if (counts) {
    for (uint32_t i = 0; i < spec.workers; ++i) tallies_.push_back(std::make_unique<Tally>());
  }
  if (direct) {
    Tally* tally = tallies_.empty() ? nullptr : tallies_[0].get();
    spec.make_source = [calls = calls_.get(), tally](uint32_t /*worker*/, uint32_t /*workers*/) {
      return std::make_unique<HookSource>(*calls, tally);
    };
  } else if (counts) {
    spec.make_source = [this](uint32_t worker, uint32_t /*workers*/) {
      return std::make_unique<TallySource>(*tallies_[worker]);
    };
  }
}

Napi::Value Engine::warnings(const Napi::CallbackInfo& info) {
  const napi_env env = info.Env();
  napi_value list = nullptr;
  napi_create_array(env, &list);
  uint32_t count = 0;
  for (const std::string& text : warnings_) napi_set_element(env, list, count++, utf8(env, text));
  return {env, list};
}

Napi::Value Engine::progress(const Napi::CallbackInfo& info) {
  const napi_env env = info.Env();
  napi_value object = progress_object(env, listener_->progress());
  if (!tallies_.empty()) set_field(env, object, "told", tally_object(env, tallies_));
  return {env, object};
}

void Engine::run(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (state_ != State::kReady) return throw_error(env, "an engine runs once: make a new one");
  if (!info[0].IsBoolean() || !info[1].IsFunction()) {
    return throw_error(env, "run(inLoop, onEnd): a boolean and a function, please");
  }
  const bool in_loop = info[0].As<Napi::Boolean>().Value();
  if (in_loop && !one_worker_) {
    return throw_error(env, "a run in Node's loop has one worker: workers must be 1");
  }
  if (!in_loop && calls_->hooks().any_direct()) {
    return throw_error(env, "hooks next, response and loss need a run in Node's loop");
  }
  if (!in_loop) {
    const auto driver = ThreadDriver::start(env, *run_, *listener_, *this);
    if (!driver) return throw_error(env, driver.error().text);
    threads_ = *driver;
  }
  calls_->hold();
  on_end_ = Napi::Persistent(info[1].As<Napi::Function>());
  Ref();
  running(env).engines.insert(this);
  state_ = in_loop ? State::kLooking : State::kThreads;
  if (in_loop) (new NameLookup(env, *this))->Queue();
}

void Engine::stop(const Napi::CallbackInfo& /*info*/) {
  if (run_) run_->stop();
}

void Engine::destroy(const Napi::CallbackInfo& info) {
  if (state_ != State::kLoop || !run_) return;
  if (!info[0].IsNumber()) return throw_error(info.Env(), "destroy(connection): a number, please");
  const HookCalls::Turn turn(*calls_);
  run_->destroy(info[0].As<Napi::Number>().Uint32Value());
}

void Engine::halt() {
  if (run_) run_->stop();
  if (threads_ != nullptr) threads_->halt();
}

void Engine::open_in_loop() {
  state_ = State::kLoop;
  {
    const HookCalls::Turn turn(*calls_);
    run_->open();
  }
  if (run_->finished()) return end_in_loop();
  const auto driver = LoopDriver::start(Env(), run_->poll_fd(), *this);
  if (driver) {
    loop_ = *driver;
    return;
  }
  run_->stop();
  while (!run_->finished()) run_->turn();
  throw_error(Env(), driver.error().text);
  report_exception(Env());
  end_in_loop();
}

void Engine::on_readable() {
  {
    const HookCalls::Turn turn(*calls_);
    for (int turns = 0; turns < kMostTurns && !run_->finished(); ++turns) {
      const uint64_t calls = calls_->calls();
      run_->turn();
      if (calls_->calls() == calls) break;
    }
  }
  if (run_->finished()) end_in_loop();
}

void Engine::end_in_loop() {
  if (loop_ != nullptr) std::exchange(loop_, nullptr)->close();
  const Napi::HandleScope scope(Env());
  finish(encode_result(run_->result()));
}

void Engine::on_teardown() {
  loop_ = nullptr;
  state_ = State::kOver;
}

void Engine::on_errors() {
  const std::vector<ErrorCount> errors = listener_->take_errors();
  if (errors.empty()) return;
  const HookCalls::Turn turn(*calls_);
  for (const ErrorCount& error : errors) calls_->tell(error);
}

void Engine::on_ended(std::string state) {
  threads_ = nullptr;
  finish(state);
}

void Engine::finish(const std::string& state) {
  const Napi::Env env = Env();
  state_ = State::kOver;
  run_.reset();
  running(env).engines.erase(this);
  const std::unique_ptr<HookCalls> calls = std::move(calls_);
  const Napi::FunctionReference on_end = std::move(on_end_);
  // Not through Napi's classes: they end the process where nothing can be called any more.
  napi_value buffer = nullptr;
  napi_create_buffer_copy(env, state.size(), state.data(), nullptr, &buffer);
  calls->call_back(on_end.Value(), 1, &buffer);
  Unref();
}

}  // namespace carronade::node
