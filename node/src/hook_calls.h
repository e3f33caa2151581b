// The JavaScript functions that a run calls for each request, and the way to call them
// cheaply: references are looked up once a turn, handles are given back in batches, and the
// microtask queue is emptied once a turn. JavaScript thread.
#pragma once

#include <napi.h>

#include <cstdint>
#include <string>

#include "carronade/expected.h"
#include "carronade/run_result.h"

namespace carronade::node {

// The `hooks` argument of `new Engine(spec, hooks)`; an empty reference: not given.
struct Hooks {
  enum class Bodies : uint8_t { kNone, kBuffer, kString };

  Napi::FunctionReference next;
  Napi::FunctionReference response;
  Napi::FunctionReference loss;
  Napi::FunctionReference error;
  bool heads = false;
  bool frames = false;  // what next() gives is a WebSocket message, not a request
  Bodies bodies = Bodies::kNone;

  // References are weak at first: functions as a rule speak of the engine that holds them, which
  // would keep both for ever. `owner`, the engine's object, keeps the functions; hold() makes the
  // references strong for the time of a run.
  void give_to(const Napi::Object& owner);
  void hold();
  // Those that are called by the engine itself, and so on its thread.
  bool any_direct() const { return !next.IsEmpty() || !response.IsEmpty() || !loss.IsEmpty(); }
};

Expected<Hooks> read_hooks(const Napi::Object& object);

// An exception that is pending becomes an uncaughtException of the process. In an environment that
// is being torn down nothing can be called and nothing is pending: then it does nothing.
void report_exception(napi_env env);

class HookCalls {
 public:
  HookCalls(Napi::Env env, Hooks hooks);

  // Functions can be called while one of these lives. Nested ones do nothing.
  class Turn {
   public:
    explicit Turn(HookCalls& calls);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    HookCalls& calls_;
    const bool outermost_;
    napi_handle_scope outer_ = nullptr;
    napi_callback_scope callback_ = nullptr;
  };

  const Hooks& hooks() const { return hooks_; }
  void hold() { hooks_.hold(); }
  napi_env env() const { return env_; }
  // Calls `function` from outside of any JavaScript, as the last thing there is to tell.
  void call_back(napi_value function, size_t count, const napi_value* arguments);
  // How many calls there were.
  uint64_t calls() const { return count_; }

  // In a Turn. Gives back the handles of earlier calls now and then: before the arguments of a
  // call are made.
  void breathe();
  napi_value next() const { return next_; }
  napi_value response() const { return response_; }
  napi_value loss() const { return loss_; }
  napi_value undefined() const { return undefined_; }
  // Calls the hook `error`.
  void tell(const ErrorCount& error);
  // nullptr when it threw, or when the environment is being torn down.
  napi_value call(napi_value function, size_t count, const napi_value* arguments);

 private:
  void open_inner();
  void close_inner();

  Napi::Env env_;
  Hooks hooks_;
  Napi::AsyncContext context_;
  Napi::ObjectReference resource_;
  uint64_t count_ = 0;
  uint32_t turns_ = 0;  // nested
  uint32_t depth_ = 0;  // of calls
  napi_handle_scope inner_ = nullptr;
  napi_value undefined_ = nullptr;
  napi_value next_ = nullptr;
  napi_value response_ = nullptr;
  napi_value loss_ = nullptr;
  napi_value error_ = nullptr;
};

}  // namespace carronade::node
