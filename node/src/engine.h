// `binding.Engine`: one run, seen from JavaScript. The way of driving it is chosen by run().
#pragma once

#include <napi.h>

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "carronade/run.h"
#include "hook_calls.h"
#include "loop_driver.h"
#include "run_listener.h"
#include "tally_source.h"
#include "thread_driver.h"

namespace carronade::node {

class Engine;

// Of one environment (the main thread, or a worker_thread): its instance data.
struct Running {
  std::unordered_set<Engine*> engines;
};

class Engine final : public Napi::ObjectWrap<Engine>, private LoopClient, private ThreadClient {
 public:
  static Napi::Function define(Napi::Env env);
  // Called by JavaScript's `new`: a spec that cannot be run is thrown as an Error.
  explicit Engine(const Napi::CallbackInfo& info);
  // When the process ends: no thread of the run is left behind.
  void halt();

 private:
  class NameLookup;
  enum class State : uint8_t { kReady, kLooking, kLoop, kThreads, kOver };

  Napi::Value warnings(const Napi::CallbackInfo& info);
  Napi::Value progress(const Napi::CallbackInfo& info);
  void run(const Napi::CallbackInfo& info);
  void stop(const Napi::CallbackInfo& info);
  void destroy(const Napi::CallbackInfo& info);

  // Makes the run call the hooks, and count for progress() when the spec asks for it.
  void add_source(RunSpec& spec, bool direct, bool counts);
  Expected<void> prepare(const Napi::CallbackInfo& info);
  void start_threads();
  void open_in_loop();
  void end_in_loop();
  // Tells JavaScript the result and lets go of everything.
  void finish(const std::string& state);

  void on_readable() override;
  void on_teardown() override;
  void on_errors() override;
  void on_ended(std::string state) override;

  State state_ = State::kReady;
  bool one_worker_ = false;
  std::unique_ptr<RunListener> listener_;
  Tallies tallies_;
  std::unique_ptr<HookCalls> calls_;  // null when it is over
  std::unique_ptr<Run> run_;          // the same
  std::vector<std::string> warnings_;
  Napi::FunctionReference on_end_;
  LoopDriver* loop_ = nullptr;
  ThreadDriver* threads_ = nullptr;
};

}  // namespace carronade::node
