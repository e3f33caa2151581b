// A run on threads of its own: one that waits for it, and those that the run starts.
#pragma once

#include <node_api.h>

#include <atomic>
#include <string>
#include <thread>

#include "carronade/expected.h"
#include "carronade/run.h"
#include "run_listener.h"

namespace carronade::node {

// What it tells, on the JavaScript thread.
class ThreadClient {
 public:
  virtual ~ThreadClient() = default;
  virtual void on_errors() = 0;  // RunListener has some
  // Last: the run is over, its threads are joined. `state` is its result, encoded.
  virtual void on_ended(std::string state) = 0;
};

// Owns itself from start() until Node has let go of its handle. JavaScript thread.
class ThreadDriver {
 public:
  // Names are looked up on the thread, too. All arguments must live until on_ended() or the end
  // of the environment. Keeps Node's loop alive until then.
  static Expected<ThreadDriver*> start(napi_env env, Run& run, RunListener& listener,
                                       ThreadClient& client);
  // Stops the run and waits for its threads; nothing is told any more. For the end of the
  // process or of the environment.
  void halt();

 private:
  ThreadDriver(napi_env env, Run& run, ThreadClient& client)
      : env_(env), run_(run), client_(&client) {}
  ~ThreadDriver() = default;
  Expected<void> start_thread();
  void work();
  void ring();
  void on_ring();
  static void on_call(napi_env env, napi_value function, void* self, void* data);
  static void on_env_end(void* self);
  static void on_finalize(napi_env env, void* self, void* hint);

  napi_env env_;
  Run& run_;
  ThreadClient* client_;  // null when it has been told of the end
  napi_threadsafe_function bell_ = nullptr;
  std::thread thread_;
  std::string state_;                // of the thread until ended_
  std::atomic<bool> ended_ = false;  // behind the last use of the run
};

}  // namespace carronade::node
