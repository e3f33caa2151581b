// A file descriptor watched by Node's own loop.
#pragma once

#include <node_api.h>
#include <uv.h>

#include <string>

#include "carronade/expected.h"

namespace carronade::node {

// What it tells, on the JavaScript thread and outside of any JavaScript.
class LoopClient {
 public:
  virtual ~LoopClient() = default;
  virtual void on_readable() = 0;
  // The environment ends (worker.terminate()) in the middle of the run: no JavaScript can be
  // called any more, and the driver is gone.
  virtual void on_teardown() = 0;
};

// Owns itself from start() until libuv has let go of its handle.
class LoopDriver {
 public:
  // Keeps the loop alive and calls client.on_readable() whenever `fd` is readable.
  static Expected<LoopDriver*> start(napi_env env, int fd, LoopClient& client);
  // No call comes after it; `fd` can be closed at once. The driver is gone.
  void close();

 private:
  explicit LoopDriver(LoopClient& client) : client_(client) {}
  ~LoopDriver() = default;
  static void on_poll(uv_poll_t* handle, int status, int events);
  static void on_closed(uv_handle_t* handle);
  static void on_env_end(napi_async_cleanup_hook_handle handle, void* self);

  LoopClient& client_;
  uv_poll_t poll_{};
  napi_async_cleanup_hook_handle cleanup_ = nullptr;
  bool closing_ = false;
};

}  // namespace carronade::node
