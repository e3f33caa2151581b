#include "loop_driver.h"

namespace carronade::node {

Expected<LoopDriver*> LoopDriver::start(napi_env env, int fd, LoopClient& client) {
  uv_loop_s* loop = nullptr;
  napi_get_uv_event_loop(env, &loop);
  auto* driver = new LoopDriver(client);
  driver->poll_.data = driver;
  int status = uv_poll_init(loop, &driver->poll_, fd);
  if (status != 0) {
    delete driver;
    return unexpected(std::string("watch the run in Node's loop: ") + uv_strerror(status));
  }
  napi_add_async_cleanup_hook(env, on_env_end, driver, &driver->cleanup_);
  status = uv_poll_start(&driver->poll_, UV_READABLE, on_poll);
  if (status != 0) {
    driver->close();
    return unexpected(std::string("watch the run in Node's loop: ") + uv_strerror(status));
  }
  return driver;
}

void LoopDriver::close() {
  if (closing_) return;
  closing_ = true;
  uv_close(reinterpret_cast<uv_handle_t*>(&poll_), on_closed);
}

void LoopDriver::on_poll(uv_poll_t* handle, int /*status*/, int /*events*/) {
  // An error of the descriptor is a reason to look at it, too.
  static_cast<LoopDriver*>(handle->data)->client_.on_readable();
}

void LoopDriver::on_closed(uv_handle_t* handle) {
  const auto* driver = static_cast<LoopDriver*>(handle->data);
  // An environment that is ending waits for this.
  napi_remove_async_cleanup_hook(driver->cleanup_);
  delete driver;
}

void LoopDriver::on_env_end(napi_async_cleanup_hook_handle /*handle*/, void* self) {
  auto* driver = static_cast<LoopDriver*>(self);
  if (driver->closing_) return;  // it is on its way
  driver->close();
  driver->client_.on_teardown();
}

}  // namespace carronade::node
